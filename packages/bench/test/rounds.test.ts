import { median } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { interleave, medians, ratios } from '../src/report.ts';

describe('rounds', () => {
  it('alternate: floor, subject, floor, subject', async () => {
    const order: string[] = [];
    const measure = (name: string) => async () => {
      order.push(name);
      return order.length;
    };
    const results = await interleave(2, [measure('floor'), measure('subject')]);
    expect(order).toEqual(['floor', 'subject', 'floor', 'subject']);
    expect(results).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('yield the median of each figure', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
    expect(medians([{ p50: 1 }, { p50: 9, p99: 4 }, { p50: 2 }])).toEqual({ p50: 2, p99: 4 });
  });

  it('yield the median of the ratios of neighbours, which an outlier of both does not change', () => {
    const floor = [{ per_second: 1_000 }, { per_second: 10 }, { per_second: 2_000 }];
    const subject = [{ per_second: 500 }, { per_second: 5 }, { per_second: 1_000 }];
    expect(ratios(subject, floor)).toEqual({ per_second: 0.5 });
  });

  it('yield no ratio for a missing value or 0', () => {
    expect(ratios([{ a: 1, b: 2 }], [{ a: 0 }])).toEqual({});
  });
});
