// Whether there is room for one more preview, without looking at all of them: an estimate that is good for a tenth of the bounds.
import { describe, expect, it } from 'vitest';
import {
  hasRoom,
  isSameKind,
  noteEstimate,
  PREVIEW_BOUNDS,
} from '../../../src/security/store/preview-quota.ts';
import { openedFolder } from './disk.ts';

const KIND = { roots: '0'.repeat(64), isForPerson: true };
const BOUNDS = { previews: 100, totalBytes: 1_000, previewBytes: 1_000 };

function estimated(count: number, bytes: number) {
  const { folder } = openedFolder();
  noteEstimate(folder, KIND, count, bytes);
  /** As often as it says so. */
  const more = (addedBytes: number, most = 20) => {
    for (let kept = 0; kept < most; kept += 1) if (!hasRoom(folder, KIND, BOUNDS, addedBytes)) return kept;
    return most;
  };
  return { folder, more };
}

describe('there is room', () => {
  it('for a tenth of the previews and of the bytes, until somebody looks again', () => {
    expect(estimated(50, 500).more(1)).toBe(10);
    expect(estimated(50, 500).more(50)).toBe(2);
    expect(estimated(50, 500).more(100)).toBe(1);
    expect(estimated(50, 500).more(101)).toBe(0);
    const { folder, more } = estimated(50, 500);
    expect(more(1)).toBe(10);
    noteEstimate(folder, KIND, 60, 510);
    expect(more(1)).toBe(10);
  });

  it('up to the bounds and no further', () => {
    expect(estimated(97, 0).more(1)).toBe(3);
    expect(estimated(0, 950).more(25)).toBe(2);
    expect(estimated(0, 951).more(25)).toBe(1);
    expect(estimated(0, 1_000).more(0)).toBe(10);
  });

  it('is not known of another kind, nor before somebody has looked', () => {
    const { folder } = estimated(0, 0);
    const ask = (kind: typeof KIND) => hasRoom(folder, kind, BOUNDS, 1);
    expect([
      ask({ ...KIND, roots: '1'.repeat(64) }),
      ask({ ...KIND, isForPerson: false }),
      ask({ ...KIND }),
    ]).toEqual([...[false, false, true]]);
    expect(hasRoom(openedFolder().folder, KIND, BOUNDS, 1)).toBe(false);
    expect(isSameKind(KIND, { ...KIND })).toBe(true);
  });

  it('for 500 previews of one kind and 64 MB of them, 16 MB each', () => {
    expect(PREVIEW_BOUNDS).toEqual({ previews: 500, totalBytes: 64_000_000, previewBytes: 16_000_000 });
  });
});
