import type { Batch, WantedFile } from "./sync-disk.ts";

export type ThreadRequest =
	| { readonly type: "begin"; readonly wanted: readonly WantedFile[] }
	| { readonly type: "write"; readonly batch: Batch }
	| { readonly type: "publish" }
	| { readonly type: "discard" };

/** `value` is the result of the function that was called. Both ends run the same version of the code, so `value` is not checked. */
export type ThreadAnswer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };
