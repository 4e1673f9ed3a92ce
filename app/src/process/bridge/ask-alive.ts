import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** `silent`: no answer arrived in time. `closed`: nothing listens at the address, for example while a bridge is stopping. */
export type Answer = "answered" | "silent" | "closed";

/**
 * Whether the bridge at this address answers in any way before `signal` is aborted. Never rejects. The certificate is not verified: no
 * secret is sent, and a bridge with a self-signed certificate must not appear to hang.
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
		// A process that hangs keeps its socket open, so the system accepts the connection but nothing answers.
		return signal.aborted ? "silent" : "closed";
	} finally {
		asked.on("error", () => undefined).destroy();
	}
}
