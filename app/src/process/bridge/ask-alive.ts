import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** `silent`: no answer in time. `closed`: nothing listens there, as while a bridge is stopping. */
export type Answer = "answered" | "silent" | "closed";

/**
 * Whether the bridge at this address answers before `signal` is aborted, whatever it says. Never rejects. Whose certificate it
 * shows is not looked at: nothing is sent, and a bridge with one of its own must not be taken for one that hangs.
 */
export async function askAlive(url: string, signal: AbortSignal): Promise<Answer> {
	const address = new URL("/healthz", url);
	const options = { signal, agent: false, rejectUnauthorized: false } as const;
	const asked = address.protocol === "https:" ? httpsRequest(address, options) : httpRequest(address, options);
	try {
		asked.end();
		const [response] = await once(asked, "response");
		response.resume();
		return "answered";
	} catch {
		// A process that hangs keeps its socket open: the system accepts the connection, and nothing answers.
		return signal.aborted ? "silent" : "closed";
	} finally {
		asked.on("error", () => undefined).destroy();
	}
}
