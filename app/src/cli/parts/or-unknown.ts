import { toFailure } from "../../errors/failure.ts";

/** What `asked` resolves with, or the result of `unknown` if `asked` is refused with this code. */
export async function orUnknown<T, U>(asked: Promise<T>, code: string, unknown: () => U | Promise<U>): Promise<T | U> {
	try {
		return await asked;
	} catch (error) {
		if (toFailure(error).code === code) return unknown();
		throw error;
	}
}
