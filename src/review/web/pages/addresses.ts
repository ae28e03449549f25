// Where each page is, below the base of the session.

export interface Addresses {
  readonly waiting: string;
  readonly history: string;
  readonly end: string;
  change(id: string): string;
  decision(id: string, decision: 'approve' | 'reject' | 'part' | 'keep'): string;
  applied(id: string): string;
}

export function addressesBelow(base: string): Addresses {
  return {
    waiting: `${base}/`,
    history: `${base}/history`,
    end: `${base}/end`,
    change: (id) => `${base}/change/${id}`,
    decision: (id, decision) => `${base}/change/${id}/${decision}`,
    applied: (id) => `${base}/applied/${id}`,
  };
}
