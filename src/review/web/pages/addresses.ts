// Where each page is, below the base of the session.

export type Addresses = ReturnType<typeof addressesBelow>;

export function addressesBelow(base: string) {
  return {
    waiting: `${base}/`,
    history: `${base}/history`,
    end: `${base}/end`,
    change: (id: string) => `${base}/change/${id}`,
    decision: (id: string, decision: 'approve' | 'reject' | 'part' | 'keep') =>
      `${base}/change/${id}/${decision}`,
    applied: (id: string) => `${base}/applied/${id}`,
  };
}
