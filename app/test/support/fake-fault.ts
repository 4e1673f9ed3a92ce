import type { ErrorCode } from "@xworkmate/contracts";

/** What happens to one request or stream instead of what should. */
export type Fault =
	| { readonly kind: "status"; readonly status: number }
	| { readonly kind: "error"; readonly code: ErrorCode }
	| { readonly kind: "body"; readonly body: string }
	/** Before any answer. */
	| { readonly kind: "destroy" }
	/** A clean close after so many events, without the answer. */
	| { readonly kind: "close"; readonly after: number }
	| { readonly kind: "cut"; readonly after: number }
	| { readonly kind: "stall"; readonly after: number }
	/** Leaves one event out. */
	| { readonly kind: "skip"; readonly seq: number }
	/** Sends every event twice. */
	| { readonly kind: "double" };
