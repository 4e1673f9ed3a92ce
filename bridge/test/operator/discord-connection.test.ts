import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { type ConnectionEvents, openConnection } from "../../src/operator/discord/discord-connection.ts";

const ignored = () => undefined;
const unheard: ConnectionEvents = {
	...{ ready: ignored, resumed: ignored, lost: ignored, broken: ignored, refused: ignored, dispatched: ignored },
	...{ slowed: ignored, accepted: ignored },
};

/** A connection to a server that answers like this. */
async function connectedTo(answer: RequestListener, events: Partial<ConnectionEvents> = {}) {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const connection = openConnection("token", `http://127.0.0.1:${port}`, { ...unheard, ...events });
	return {
		connection,
		async [Symbol.asyncDispose]() {
			await connection[Symbol.asyncDispose]();
			server.closeAllConnections();
			server.close();
		},
	};
}

it("says that a limit is over when Discord accepts a request, whichever it is", async () => {
	let asked = 0;
	const happened: string[] = [];
	await using there = await connectedTo(
		(_request, response) => {
			asked += 1;
			const isLimited = asked === 1;
			response.writeHead(isLimited ? 429 : 200, { "content-type": "application/json", ...(isLimited && { "retry-after": "0.01" }) });
			response.end(JSON.stringify(isLimited ? { message: "Wait.", retry_after: 0.01, global: false } : { id: "400" }));
		},
		{ slowed: () => void happened.push("slowed"), accepted: () => void happened.push("accepted") },
	);
	expect(await there.connection.direct("200")).toBe("400");
	expect(happened).toEqual(["slowed", "accepted"]);
});

it("does not know how a post went whose answer can't be read, so that it is sent again with the same nonce", async () => {
	await using there = await connectedTo((_request, response) => {
		response.writeHead(200, { "content-type": "application/json" });
		response.end("{}");
	});
	const posting = there.connection.post("300", { content: "Hello", nonce: "one" });
	await expect(posting).rejects.toMatchObject({ name: "DiscordError", kind: "unavailable" });
});

it("does not take a channel for one with several users if Discord's answer can't be read", async () => {
	await using there = await connectedTo((_request, response) => {
		response.writeHead(200, { "content-type": "application/json" });
		response.end("{}");
	});
	await expect(there.connection.isDirect("300")).rejects.toMatchObject({ name: "DiscordError", kind: "unavailable" });
});

it("replaces or removes the file of a post in an edit, and keeps it if the edit names none", async () => {
	const bodies: string[] = [];
	await using there = await connectedTo(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(Buffer.from(chunk));
		bodies.push(Buffer.concat(chunks).toString("utf8"));
		response.writeHead(200, { "content-type": "application/json" });
		response.end("{}");
	});
	for (const file of [{ name: "message.txt", data: "The new text." }, null, undefined])
		await there.connection.edit("300", "2001", { content: "Hello", ...(file !== undefined && { file }) });
	const [replaced, removed, kept] = bodies;
	expect(replaced).toContain('"attachments":[{"id":0,"filename":"message.txt"}]');
	expect(replaced).toContain("The new text.");
	expect(JSON.parse(removed ?? "")).toMatchObject({ attachments: [] });
	expect(JSON.parse(kept ?? "")).not.toHaveProperty("attachments");
});
