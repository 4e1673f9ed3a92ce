/**
 * WhatsApp's Cloud API for tests, and for a look at what leaves: messages, media, templates, the number, and signed webhooks. It brings nothing
 * to anybody: each message that it accepts is a file, synchronized with the disk before it says so.
 *
 *   node e2e/fakes/whatsapp/main.ts [--folder FOLDER]
 *
 * Prints `{"url", "folder", "settings", "secrets"}` once it is listening: `settings` and `secrets` are what `xworkmate.channels.configure` wants for
 * the channel `whatsapp`. Ends on SIGTERM or when its standard input closes. At `url` it has, for tests:
 *
 *   POST /__fake/fault     how a next request goes wrong (`GraphFault`)
 *   POST /__fake/window    {number?, open, atOnce?}: whether a number, or everybody else, has written within 24 hours
 *   POST /__fake/webhook   {url, automatic?}: where webhooks go
 *   POST /__fake/status    tells what happened to a message (`TellStatus`); the answer's statuses
 *   POST /__fake/reply     {from, text?}: somebody writes to the number
 *   POST /__fake/verify    asks the webhook whether it is the user's
 *   GET  /__fake/journal   [{connection, event, ...}], what happened (`GraphEvent`)
 *   GET  /__fake/messages  what was accepted (`AcceptedMessage`)
 *   GET  /__fake/media     [{id, type, base64}], the files
 */
import { mkdtemp } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdin } from "node:process";
import { parseArgs } from "node:util";
import { z } from "zod";
import { GraphFault } from "./graph-fault.ts";
import { GraphHost } from "./graph-host.ts";
import { TellReply, TellStatus, Webhooks, WebhookTarget } from "./webhooks.ts";
import { WhatsAppWorld } from "./whatsapp-world.ts";

const Window = z.strictObject({ number: z.string().optional(), open: z.boolean(), atOnce: z.boolean().default(false) });

const { values } = parseArgs({ options: { folder: { type: "string" } } });
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "fake-whatsapp-")));
const world = new WhatsAppWorld(folder);
const webhooks = new Webhooks(world);
const host = new GraphHost(world, webhooks);

const controls: Readonly<Record<string, (given: unknown) => unknown>> = {
	fault: (given) => void host.faults.push(GraphFault.parse(given)),
	window: (given) => {
		const { number, open, atOnce } = Window.parse(given);
		world.closedAtOnce = atOnce;
		if (number === undefined) world.isOpen = open;
		else if (open) world.wrote(number);
		else world.windows.set(number, 0);
	},
	webhook: (given) => webhooks.aim(WebhookTarget.parse(given)),
	status: (given) => webhooks.status(TellStatus.parse(given)),
	reply: (given) => webhooks.reply(TellReply.parse(given)),
	verify: () => webhooks.verify(),
	journal: () => host.journal,
	messages: () => world.messages,
	media: () => [...world.media].map(([id, { type, bytes }]) => ({ id, type, base64: bytes.toString("base64") })),
};

const control = createServer((request, response) => {
	const parts: Buffer[] = [];
	request.on("data", (part: Buffer) => parts.push(part));
	request.on("end", async () => {
		const act = controls[(request.url ?? "").replace("/__fake/", "")];
		const body = Buffer.concat(parts).toString("utf8");
		try {
			const answer = await act?.(body === "" ? {} : JSON.parse(body));
			response.writeHead(200).end(JSON.stringify(answer ?? {}));
		} catch (error) {
			response.writeHead(500).end(JSON.stringify({ error: String(error) }));
		}
	});
});

function listen(server: Server): Promise<number> {
	return new Promise((resolve, reject) => {
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			if (address === null || typeof address === "string") reject(new Error("the fake WhatsApp listens on no port"));
			else resolve(address.port);
		});
	});
}

const baseUrl = `http://127.0.0.1:${await listen(host.server)}`;
const url = `http://127.0.0.1:${await listen(control)}`;
const { phoneNumberId, businessAccountId, accessToken } = world;
const settings = { phoneNumberId, businessAccountId, baseUrl, owner: "+66812345678" };
const secrets = { accessToken, appSecret: webhooks.appSecret, verifyToken: webhooks.verifyToken };
console.log(JSON.stringify({ url, folder, settings, secrets }));

const end = () => {
	for (const server of [host.server, control]) {
		server.close();
		server.closeAllConnections();
	}
	stdin.destroy();
};
process.once("SIGTERM", end);
stdin.once("end", end).once("error", end).resume();
