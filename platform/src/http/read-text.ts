import type { IncomingMessage } from "node:http";

/** The body is larger than the caller allows. */
export class BodyTooLarge extends Error {
	override readonly name = "BodyTooLarge";
}

/**
 * The whole body as UTF-8.
 * @throws BodyTooLarge after `maxBytes`; an error of node:http if the connection is lost
 */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of response) {
		if (!(chunk instanceof Buffer)) throw new TypeError("the response already has an encoding");
		size += chunk.length;
		if (size > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString("utf8");
}
