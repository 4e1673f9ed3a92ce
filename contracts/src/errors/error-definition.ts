/** What the catalogue says about a wire error. */
export interface ErrorDefinition {
	/** JSON-RPC error number. */
	readonly number: number;
	/** True if the same call, unchanged, may succeed later. */
	readonly retryable: boolean;
	/** HTTP status of a transport error (docs/protocol.md#transport). Absent: answered with 200. */
	readonly http?: number;
	/** What happened, in one sentence. */
	readonly meaning: string;
	/** What the caller can do about it. */
	readonly fix: string;
}
