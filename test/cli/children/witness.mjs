// Loaded into the command before it starts. At SIGUSR2 it says what the process has become.
process.on('SIGUSR2', () => {
  const { reportOnFatalError, reportOnSignal, reportOnUncaughtException } = process.report;
  const told = {
    umask: process.umask(0o077),
    environment: Object.keys(process.env),
    reports: [reportOnFatalError, reportOnSignal, reportOnUncaughtException],
  };
  process.stderr.write(`${JSON.stringify({ event: 'witnessed', ...told })}\n`);
});
