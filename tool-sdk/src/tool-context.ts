import type { Http } from "./http.ts";

/** What a handler gets in addition to its input. */
export interface ToolContext {
	/** Aborted when the call is cancelled or its time runs out. The handler then has 5 seconds before its process is killed. */
	readonly signal: AbortSignal;
	readonly runId: string;
	readonly toolCallId: string;
	/** The same for each attempt of this call. Pass it to a service that recognizes repeated requests. */
	readonly idempotencyKey: string;
	/** 1, or more if an earlier attempt was interrupted. Only reads and `idempotent` tools are ever called again. */
	readonly attempt: number;
	/** A folder of this integration, the only one that the handler may write to. */
	readonly dataFolder: string;
	/**
	 * The value of a secret that the tool lists in `secrets`.
	 * @throws Error for any other name
	 */
	secret(name: string): string;
	/** Requests to services, within bounds. */
	readonly http: Http;
}
