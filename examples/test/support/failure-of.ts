/** The error of a promise that has to fail. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
	const result = await promise.catch((error: unknown) => error);
	if (!(result instanceof Error)) throw new Error(`it did not fail: ${JSON.stringify(result)}`);
	return result;
}
