import { toFailure } from "../../errors/failure.ts";

/** Resolves with the result of `asked` or, if `asked` fails with this code, with the result of `unknown`. */
export async function orUnknown<T, U>(asked: Promise<T>, code: string, unknown: () => U | Promise<U>): Promise<T | U> {
	try {
		return await asked;
	} catch (error) {
		if (toFailure(error).code === code) return unknown();
		throw error;
	}
}
