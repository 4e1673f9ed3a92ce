import type { Batch, WantedFile } from "./sync-disk.ts";

export type ThreadRequest =
	| { readonly type: "begin"; readonly wanted: readonly WantedFile[] }
	| { readonly type: "write"; readonly batch: Batch }
	| { readonly type: "publish" }
	| { readonly type: "discard" };

/** `value` is the called function's result; both ends are the same code. */
export type ThreadAnswer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };
