// Skips the tests that start programs of their own or outwait a writer: each mutant would wait for them again.
import { beforeEach } from 'vitest';

const SLOW =
  /AUDI-003|FILE-003|ENVI-00|many processes|in a worker|the file of another|without write permission|open folder/u;

beforeEach(({ task, skip }) => {
  if (SLOW.test(task.name)) skip();
});
