import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { waitUntil, within } from "../machine/wait-until.ts";

const Started = z.object({
	url: z.string(),
	folder: z.string(),
	settings: z.record(z.string(), z.string()),
	secrets: z.record(z.string(), z.string()),
});
const Message = z.object({
	id: z.string(),
	to: z.string(),
	type: z.string(),
	body: z.string(),
	callbackData: z.string().optional(),
	failsLater: z.boolean().optional(),
});
export type SentMessage = z.infer<typeof Message>;
const Event = z.object({ connection: z.number(), event: z.string(), body: z.number(), detail: z.string().optional() });
export type GraphEvent = z.infer<typeof Event>;
const Media = z.array(z.object({ id: z.string(), type: z.string(), base64: z.string() }));

/** How the next requests go wrong (e2e/fakes/whatsapp/graph-fault.ts). */
export interface GraphFault {
	readonly on?: "messages" | "media" | "number";
	readonly stage?: "connect" | "body" | "read" | "stored" | "answer";
	readonly kind: "error" | "reply" | "cut" | "hang" | "huge";
	readonly code?: number;
	readonly subcode?: number;
	readonly details?: string;
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly times?: number;
}

export interface FakeWhatsApp extends AsyncDisposable {
	/** Of the channel `whatsapp`. */
	readonly settings: Readonly<Record<string, string>>;
	readonly secrets: Readonly<Record<string, string>>;
	fail(fault: GraphFault): Promise<void>;
	/** Tells it something by its control (e2e/fakes/whatsapp/main.ts). */
	tell(what: "window" | "webhook" | "status" | "reply" | "verify", given: object): Promise<unknown>;
	journal(): Promise<readonly GraphEvent[]>;
	/** In the order in which they were accepted. */
	messages(): Promise<readonly SentMessage[]>;
	media(): Promise<z.infer<typeof Media>>;
	/** The journal once it fits. */
	noted(what: string, fits: (journal: readonly GraphEvent[]) => boolean): Promise<readonly GraphEvent[]>;
}

/** Starts WhatsApp's Cloud API as a process on 127.0.0.1. Its main.ts says what it does. */
export async function startFakeWhatsApp(): Promise<FakeWhatsApp> {
	const main = fileURLToPath(new URL("../../fakes/whatsapp/main.ts", import.meta.url));
	const child = spawn(process.execPath, [main], { env: { PATH: "/usr/bin:/bin" }, stdio: ["pipe", "pipe", "inherit"] });
	const ended = once(child, "exit");
	const [first] = await within("the address of the fake WhatsApp", 60_000, once(child.stdout, "data"));
	const { url, folder, settings, secrets } = Started.parse(JSON.parse(String(first)));
	const ask = async (path: string, given?: object): Promise<unknown> => {
		const init = given === undefined ? {} : { method: "POST", body: JSON.stringify(given) };
		const answer = await fetch(`${url}/__fake/${path}`, init);
		if (!answer.ok) throw new Error(`the fake WhatsApp: ${await answer.text()}`);
		return answer.json();
	};
	const journal = async () => z.array(Event).parse(await ask("journal"));
	return {
		settings,
		secrets,
		fail: async (fault) => void (await ask("fault", fault)),
		tell: ask,
		journal,
		messages: async () => z.array(Message).parse(await ask("messages")),
		media: async () => Media.parse(await ask("media")),
		noted: (what, fits) =>
			waitUntil(what, 10_000, async () => {
				const seen = await journal();
				return fits(seen) ? seen : undefined;
			}),
		async [Symbol.asyncDispose]() {
			child.kill("SIGTERM");
			await within("the end of the fake WhatsApp", 5_000, ended);
			await rm(folder, { recursive: true, force: true });
		},
	};
}
