// What a preview of these edits is kept as, for tests that have none of the tools which would say more of it.
/** What is asked of the backend to write edits at once. `fileWriteOf`: of the same module as the edits. */
export function directWrite(edits, fileWriteOf, requestId) {
  const writes = edits.filter((edit) => !edit.isNoop).map(fileWriteOf);
  return { writes, preview: draftOf(edits), verdict: { level: 'direct', needs: [] }, requestId };
}

/** Of a direct write. */
export function draftOf(edits) {
  const files = edits
    .filter((edit) => !edit.isNoop)
    .map(({ snapshot, resultSha256, edits: spans, changes, fileOp, mode }) => ({
      ...{ file: snapshot.path.toString(), base: snapshot.text, base_sha256: snapshot.sha256 },
      ...{ result_sha256: resultSha256, edits: spans, changes, diff: '' },
      ...{ places: [], removed_comments: [], also_affects: [] },
      ...(fileOp === undefined ? {} : { file_op: fileOp }),
      ...(mode === undefined ? {} : { mode }),
    }));
  return {
    ...{ caller: { name: 'test', version: '1' }, policy: '0'.repeat(64), files },
    ...{ origin: { kind: 'edit' }, approval: 'direct', rules: [], tool: 'test', request: {}, warnings: [] },
  };
}
