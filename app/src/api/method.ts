import { z } from "zod";

/** A method of the local API, `POST /api/<name>`: its parameters and its result. A query changes nothing. */
export interface Method<Params extends z.ZodType, Result> {
	readonly kind: "query" | "action";
	readonly params: Params;
	/** True if only a command may call it, with the app's token, and a page's session may not. */
	readonly commandOnly: boolean;
	/** Whether these parameters may be sent again after the answer was lost, because a second call does no harm. */
	readonly isRepeatable: (params: z.output<Params>) => boolean;
	/** Used only by the compiler. Both ends of the local API run this code, so a result is not checked against its type. */
	readonly result?: Result;
}

/** JSON lines at a separate address, until the last line or until the reader disconnects. */
export interface Stream<Params extends z.ZodType, Line> {
	readonly kind: "stream";
	readonly params: Params;
	readonly path: (params: z.output<Params>) => string;
	/** Used only by the compiler, like `Method.result`. */
	readonly line?: Line;
}

/** For methods without parameters. */
export const nothing = z.strictObject({});

type Taken<Params extends z.ZodType> = z.output<Params> extends Readonly<Record<string, never>> ? [] : [params: z.output<Params>];

/** The functions that implement these rows, in the form in which clients call them. */
export type Functions<Rows> = {
	readonly [Name in keyof Rows]: Rows[Name] extends Method<infer Params, infer Result>
		? (...params: Taken<Params>) => Promise<Result>
		: Rows[Name] extends Stream<infer Params, infer Line>
			? (...params: Taken<Params>) => AsyncIterable<Line>
			: never;
};

export function query<Params extends z.ZodType>(params: Params) {
	return { returns: <Result>(): Method<Params, Result> => ({ kind: "query", params, commandOnly: false, isRepeatable: () => true }) };
}

export function action<Params extends z.ZodType>(params: Params) {
	return { returns: <Result>(): Method<Params, Result> => ({ kind: "action", params, commandOnly: false, isRepeatable: () => false }) };
}

export function stream<Params extends z.ZodType>(params: Params, path: (params: z.output<Params>) => string) {
	return { of: <Line>(): Stream<Params, Line> => ({ kind: "stream", params, path }) };
}

export function commandOnly<Params extends z.ZodType, Result>(method: Method<Params, Result>): Method<Params, Result> {
	return { ...method, commandOnly: true };
}

/** An action that can be repeated safely: for example, it sets something, or carries an id that was created where the user started it. */
export function repeatable<Params extends z.ZodType, Result>(
	method: Method<Params, Result>,
	isRepeatable: (params: z.output<Params>) => boolean = () => true,
): Method<Params, Result> {
	return { ...method, isRepeatable };
}

/** The input as a client that writes JSON passes it. */
export type Given<Row extends { readonly params: z.ZodType }> = z.input<Row["params"]>;

export type Answer<Row> = Row extends Method<z.ZodType, infer Result> ? Result : never;
