import { RpcRefused } from "./bare-client.ts";
import type { Refusal } from "./wire.ts";

/** The refusal that a call ends with. @throws when it is answered with a result */
export async function refused(call: Promise<unknown>): Promise<Refusal> {
	try {
		const result = await call;
		throw new Error(`answered with a result: ${JSON.stringify(result)?.slice(0, 300)}`);
	} catch (error) {
		if (error instanceof RpcRefused) return error.refusal;
		throw error;
	}
}
