// A JSON value, as a call sends it and as a reply shows it.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
