import { z } from "zod";
import { ErrorCode, errorCatalogue } from "./error-catalogue.ts";
import { advice, sentence } from "./sentence.ts";

/** `error.data` of every JSON-RPC error; clients branch on `code`. */
export const ErrorData = z.object({
	code: ErrorCode,
	retryable: z.boolean(),
	detail: z.string().optional(),
	fix: z.string().optional(),
});
export type ErrorData = z.infer<typeof ErrorData>;

export const WireError = z.object({ code: z.int(), message: z.string(), data: ErrorData });
export type WireError = z.infer<typeof WireError>;

export interface ContractErrorOptions {
	/** What exactly was wrong, without secrets. */
	readonly detail?: string;
	/** Overrides the catalogue's fix. */
	readonly fix?: string;
	readonly cause?: unknown;
}

/** An error that crosses the wire: a stable code, and sentences for the user. */
export class ContractError extends Error {
	override readonly name = "ContractError";
	readonly code: ErrorCode;
	readonly detail: string | undefined;
	readonly fix: string;

	constructor(code: ErrorCode, options: ContractErrorOptions = {}) {
		super(sentence(options.detail ?? errorCatalogue[code].meaning), options.cause === undefined ? {} : { cause: options.cause });
		this.code = code;
		this.detail = options.detail === undefined ? undefined : sentence(options.detail);
		this.fix = advice(options.fix ?? errorCatalogue[code].fix);
	}

	get retryable(): boolean {
		return errorCatalogue[this.code].retryable;
	}

	/** The JSON-RPC `error` object. */
	toWire(): WireError {
		const data: ErrorData = { code: this.code, retryable: this.retryable, fix: this.fix };
		if (this.detail !== undefined) data.detail = this.detail;
		return { code: errorCatalogue[this.code].number, message: this.message, data };
	}
}
