import { randomUUID, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
	type Channel,
	type ChannelTestStep,
	formatBytes,
	type LintFinding,
	type PayloadPart,
	type Unavailable,
} from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { Built, DeliveryChannel, HandOver, Message, SendOutcome } from "../../ports/channels/channel.ts";
import type { Clock } from "../../ports/clock.ts";
import { timestamp } from "../../ports/clock.ts";
import type { Payload } from "../../ports/plans/plan-event.ts";
import type { ReadStored } from "../set-up/channels-file.ts";
import { buildMail, Envelope, mailParts } from "./build-mail.ts";
import { emailOwner, type MailAccount, readAccount } from "./email-settings.ts";
import { exchangeMail, type SmtpEnd, type SmtpLimits } from "./smtp-exchange.ts";
import { sendOutcome } from "./smtp-outcome.ts";
import { testProblem, testSteps } from "./test-steps.ts";

const MOST_BYTES = 10 * 1024 * 1024;
const defaultLimits: SmtpLimits = { connectMs: 15_000, idleMs: 45_000 };

export interface EmailChannelOptions {
	/** Reads the current settings. */
	readonly read: () => ReadStored;
	/** Checks a deliverable, and returns what the channel objects to. */
	readonly lint: (text: string) => readonly LintFinding[];
	readonly clock: Pick<Clock, "now">;
	readonly limits?: SmtpLimits;
}

type Ready =
	| { readonly kind: "ready"; readonly account: MailAccount; readonly ca: string | undefined }
	| { readonly kind: "unready"; readonly problem: Unavailable };

/** Sends mail through any server that speaks SMTP. */
export class EmailChannel implements DeliveryChannel {
	readonly channel = "email";
	readonly constraints = "Your deliverable will be sent via email. Rich formatting OK. Headers, lists, longer content all fine.";
	readonly #options: EmailChannelOptions;

	constructor(options: EmailChannelOptions) {
		this.#options = options;
	}

	lint(text: string): readonly LintFinding[] {
		return this.#options.lint(text);
	}

	contentProblem(text: string): string | undefined {
		if (text.trim() === "") return "The message is empty.";
		if (!text.isWellFormed() || text.includes("\0")) return "The message has characters that email can't carry.";
		return Buffer.byteLength(text) > MOST_BYTES ? `The message is larger than ${formatBytes(MOST_BYTES)}.` : undefined;
	}

	owner(): string | undefined {
		const read = this.#options.read();
		return read.kind === "unusable" ? undefined : emailOwner(read.stored);
	}

	/** @throws Error if the channel can't be used, because the bytes include the sender from its settings */
	async render(message: Message): Promise<Built> {
		const ready = await this.#ready();
		if (ready.kind === "unready") throw new Error(ready.problem.message);
		return await buildMail(message, ready.account);
	}

	partsOf({ bytes }: Payload): Promise<readonly PayloadPart[]> {
		return mailParts(bytes);
	}

	async availability(): Promise<Unavailable | undefined> {
		const ready = await this.#ready();
		return ready.kind === "unready" ? ready.problem : undefined;
	}

	async send(payload: Payload, handOver: HandOver, signal: AbortSignal): Promise<SendOutcome> {
		const ready = await this.#ready();
		if (ready.kind === "unready") {
			const { message, fix } = ready.problem;
			return { kind: "held", code: "CHANNEL_UNAVAILABLE", message, fix };
		}
		const end = await this.#exchange(ready, payload, handOver, signal);
		return sendOutcome(end, ready.account.server);
	}

	async view(): Promise<Channel> {
		const read = this.#options.read();
		const { settings, secrets } = read.kind === "unusable" ? { settings: {}, secrets: {} } : read.stored;
		const unavailable = await this.availability();
		const owner = this.owner();
		return {
			channel: this.channel,
			ready: unavailable === undefined,
			...(unavailable !== undefined && { unavailable }),
			...(owner !== undefined && { owner }),
			settings: { ...settings },
			secrets: Object.keys(secrets),
		};
	}

	async test(
		address: string,
		signal: AbortSignal,
	): Promise<{ readonly ok: boolean; readonly steps: readonly ChannelTestStep[]; readonly problem?: Unavailable }> {
		const ready = await this.#ready();
		if (ready.kind === "unready") {
			const { problem } = ready;
			return { ok: false, steps: [{ step: "settings", ok: false, message: problem.message }], problem };
		}
		const at = timestamp(this.#options.clock.now());
		const text = "This is a test message from XWorkmate. Email works.\n";
		const message = { title: "XWorkmate: test message", text, address, files: [], at };
		// Each test has its own Message-ID, because servers may drop a message whose Message-ID they have seen before.
		const { payload } = await buildMail(message, ready.account, `test-${randomUUID()}`);
		const end = await this.#exchange(ready, payload, () => Promise.resolve(), signal);
		const { server } = ready.account;
		const outcome = sendOutcome(end, server);
		const steps = testSteps(server, end, outcome);
		const problem = testProblem(server, end, outcome);
		return { ok: problem === undefined, steps, ...(problem !== undefined && { problem }) };
	}

	#exchange(ready: Extract<Ready, { kind: "ready" }>, payload: Payload, handOver: HandOver, signal: AbortSignal): Promise<SmtpEnd> {
		const { server } = ready.account;
		const envelope = Envelope.parse(JSON.parse(payload.envelope));
		const limits = this.#options.limits ?? defaultLimits;
		return exchangeMail({ server, ca: ready.ca, envelope, bytes: payload.bytes, limits }, handOver, signal);
	}

	async #ready(): Promise<Ready> {
		const read = this.#options.read();
		if (read.kind === "unusable") return { kind: "unready", problem: read.problem };
		const found = readAccount(read.stored);
		if (found.kind === "unready") return found;
		const { caFile } = found.account.server;
		if (caFile === undefined) return { kind: "ready", account: found.account, ca: undefined };
		const ca = await readAuthority(caFile);
		return typeof ca === "string" ? { kind: "ready", account: found.account, ca } : { kind: "unready", problem: ca };
	}
}

/** Reads certificates as PEM, or says why they can't be used. */
async function readAuthority(path: string): Promise<string | Unavailable> {
	const problem = (why: string): Unavailable => ({
		code: "CHANNEL_AUTHORITY_UNREADABLE",
		message: `The certificate file ${path} can't be used (${why}).`,
		fix: "Choose a file with certificates in PEM format: `npm run -s xworkmate -- channels setup email --ca-file FILE`.",
	});
	try {
		const pem = await readFile(path, "utf8");
		new X509Certificate(pem);
		return pem;
	} catch (error) {
		return problem(systemErrorCode(error) ?? "it has no valid PEM certificate");
	}
}
