import { appendFileSync } from "node:fs";

/** One line of the log. */
export interface LoggedRequest {
	/** Counts from 1; a later line with the same number adds to the first. */
	readonly number: number;
	readonly method?: string;
	readonly path?: string;
	readonly dialect?: string;
	readonly model?: string;
	readonly directive?: string;
	readonly tools?: readonly string[];
	readonly act?: string;
	readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
	/** The whole request as it came. */
	readonly body?: unknown;
	readonly abortedByCaller?: true;
	readonly unhandled?: true;
	readonly error?: string;
}

export type RequestLog = (entry: LoggedRequest) => void;

/** Appends one JSON line a request, at once: a test that reads the file after an answer finds its request. */
export function openRequestLog(path: string | undefined): RequestLog {
	return (entry) => {
		if (path !== undefined) appendFileSync(path, `${JSON.stringify(entry)}\n`);
	};
}
