// The verdict on edits that a test has made itself, of which nothing is known but that they change something: the default.

/** `Verdict`: of the same module as the sandbox. */
export function judged(Verdict, sandbox, edits) {
  return Verdict.all(
    edits.map(({ snapshot, resultSha256, fileOp }) =>
      sandbox.judge(
        snapshot.path,
        { base_sha256: snapshot.sha256, result_sha256: resultSha256, file_op: fileOp },
        { documents: [], changes: [] },
      ),
    ),
  );
}
