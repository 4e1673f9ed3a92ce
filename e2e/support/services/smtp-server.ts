import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import PostalMime, { type Email } from "postal-mime";
import { z } from "zod";
import { waitUntil, within } from "../machine/wait-until.ts";

const Started = z.object({
	url: z.string(),
	folder: z.string(),
	settings: z.record(z.string(), z.union([z.string(), z.int()])),
	password: z.string().optional(),
});
const Mail = z.strictObject({ file: z.string(), from: z.string(), to: z.array(z.string()) });
const Event = z.strictObject({
	connection: z.number(),
	event: z.string(),
	content: z.number(),
	at: z.number(),
	detail: z.string().optional(),
});
export type MailEvent = z.infer<typeof Event>;

/** How the next exchanges go wrong (e2e/fakes/smtp/mail-fault.ts). */
export interface MailFault {
	readonly stage: "greeting" | "auth" | "mail" | "rcpt" | "data" | "dot" | "stored";
	readonly kind: "answer" | "cut" | "hang";
	readonly code?: number;
	readonly text?: string;
	readonly asks?: boolean;
	readonly times?: number;
	readonly bytes?: number;
}

/** A mail that the server has accepted. */
export interface ReceivedMail {
	readonly from: string;
	readonly to: readonly string[];
	/** As it came, on disk. */
	readonly bytes: Buffer;
	/** As a mail program reads it. */
	readonly read: Email;
}

export interface FakeSmtp extends AsyncDisposable {
	/** Settings of the channel `email`; those of a plain server have no user. */
	readonly settings: Readonly<Record<string, string | number>>;
	readonly secrets: Readonly<Record<string, string>>;
	fail(fault: MailFault): Promise<void>;
	journal(): Promise<readonly MailEvent[]>;
	/** In the order in which they were accepted. */
	mails(): Promise<readonly ReceivedMail[]>;
	/** The journal once it fits. */
	noted(what: string, fits: (journal: readonly MailEvent[]) => boolean): Promise<readonly MailEvent[]>;
}

/**
 * Starts a mail server as a process on 127.0.0.1. Its main.ts says what it does. `isPrompt`: it greets at once. `size`: the largest message
 * that it announces to accept, in bytes.
 */
export async function startFakeSmtp(
	security: "tls" | "starttls" | "none" = "starttls",
	isPrompt = false,
	size?: number,
): Promise<FakeSmtp> {
	const main = fileURLToPath(new URL("../../fakes/smtp/main.ts", import.meta.url));
	const flags = security === "tls" ? ["--tls"] : security === "none" ? ["--plain"] : [];
	const child = spawn(
		process.execPath,
		[main, ...flags, ...(isPrompt ? ["--prompt"] : []), ...(size === undefined ? [] : ["--size", String(size)])],
		{
			env: { PATH: "/usr/bin:/bin" },
			stdio: ["pipe", "pipe", "inherit"],
		},
	);
	const ended = once(child, "exit");
	const [first] = await within("the address of the fake mail server", 60_000, once(child.stdout, "data"));
	const { url, folder, settings, password } = Started.parse(JSON.parse(String(first)));
	const ask = async (path: string): Promise<unknown> => (await fetch(`${url}/__fake/${path}`)).json();
	const journal = async () => z.array(Event).parse(await ask("journal"));
	return {
		settings,
		secrets: password === undefined ? {} : { password },
		fail: async (fault) => void (await fetch(`${url}/__fake/fault`, { method: "POST", body: JSON.stringify(fault) })),
		journal,
		mails: async () =>
			Promise.all(
				z
					.array(Mail)
					.parse(await ask("mails"))
					.map(async ({ file, from, to }) => {
						const bytes = await readFile(file);
						return { from, to, bytes, read: await PostalMime.parse(bytes) };
					}),
			),
		noted: (what, fits) =>
			waitUntil(what, 10_000, async () => {
				const seen = await journal();
				return fits(seen) ? seen : undefined;
			}),
		async [Symbol.asyncDispose]() {
			child.kill("SIGTERM");
			await within("the end of the fake mail server", 5_000, ended);
			await rm(folder, { recursive: true, force: true });
		},
	};
}
