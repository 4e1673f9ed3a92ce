import { createHash } from "node:crypto";
import type { ChannelTestStep } from "@xworkmate/contracts";
import { z } from "zod";
import type { Upload } from "./build-message.ts";
import { exchange, type GraphEnd, type GraphLimits } from "./graph-exchange.ts";
import { earlyOutcome, jsonOf, type NotSent } from "./send-outcome.ts";
import type { WhatsAppAccount } from "./whatsapp-settings.ts";

const MediaId = z.object({ id: z.string().min(1).max(500) });
const PhoneNumber = z.object({ display_phone_number: z.string().max(100), verified_name: z.string().max(300).optional() });

export type Uploaded = { readonly kind: "id"; readonly id: string } | { readonly kind: "failed"; readonly outcome: NotSent };
export type NumberFound =
	| { readonly kind: "number"; readonly shown: string }
	| { readonly kind: "failed"; readonly step: ChannelTestStep["step"]; readonly outcome: NotSent };

/** The requests to the Graph API that this channel makes. None is repeated. */
export class WhatsAppRequests {
	readonly #account: WhatsAppAccount;
	readonly #limits: GraphLimits;
	readonly #signal: AbortSignal;

	constructor(account: WhatsAppAccount, limits: GraphLimits, signal: AbortSignal) {
		this.#account = account;
		this.#limits = limits;
		this.#signal = signal;
	}

	/** @throws what `handOver` threw */
	message(bytes: Uint8Array, handOver: () => Promise<void>): Promise<GraphEnd> {
		return this.#ask("POST", `${this.#account.phoneNumberId}/messages`, { mediaType: "application/json", bytes }, handOver);
	}

	/** Uploads a file. This sends no message: no recipient gets the file before a message refers to it, and Meta deletes it after a month. */
	async upload(file: Upload): Promise<Uploaded> {
		const end = await this.#ask("POST", `${this.#account.phoneNumberId}/media`, formOf(file));
		const failed = earlyOutcome(end, this.#account);
		if (failed !== undefined) return { kind: "failed", outcome: failed };
		const parsed = MediaId.safeParse(end.kind === "answer" ? jsonOf(end.body) : undefined);
		if (parsed.success) return { kind: "id", id: parsed.data.id };
		return { kind: "failed", outcome: { kind: "passing", message: "WhatsApp did not return an ID for the file." } };
	}

	/** Reads the sending number, which shows that the token is valid and may use the number. */
	async number(): Promise<NumberFound> {
		const end = await this.#ask("GET", `${this.#account.phoneNumberId}?fields=display_phone_number,verified_name`);
		const outcome = earlyOutcome(end, this.#account);
		if (outcome !== undefined) return { kind: "failed", step: stepOf(end, outcome), outcome };
		const parsed = PhoneNumber.safeParse(end.kind === "answer" ? jsonOf(end.body) : undefined);
		if (!parsed.success) {
			const message = "WhatsApp did not return the phone number that messages are sent from.";
			return { kind: "failed", step: "sign_in", outcome: { kind: "passing", message } };
		}
		const { display_phone_number, verified_name } = parsed.data;
		return { kind: "number", shown: verified_name === undefined ? display_phone_number : `${verified_name}, ${display_phone_number}` };
	}

	#ask(
		method: "GET" | "POST",
		path: string,
		body?: { readonly mediaType: string; readonly bytes: Uint8Array },
		beforeFirstByte: () => Promise<void> = () => Promise.resolve(),
	): Promise<GraphEnd> {
		const { url, accessToken: token } = this.#account;
		const order = { method, url: `${url}/${path}`, token, limits: this.#limits, ...(body !== undefined && { body }) };
		return exchange(order, beforeFirstByte, this.#signal);
	}
}

/** The step that failed. If a server is reached but not trusted, the encryption failed, not the connection. */
function stepOf(end: GraphEnd, outcome: NotSent): ChannelTestStep["step"] {
	if (end.kind === "answer") return "sign_in";
	return outcome.kind === "held" ? "encrypt" : "connect";
}

/** A multipart form with the file. The file's author cannot know the boundary in advance. */
function formOf({ name, mediaType, bytes }: Upload) {
	const boundary = `xworkmate-${createHash("sha256").update(bytes).digest("hex")}`;
	const field = (field: string, value: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
	const start = `${field("messaging_product", "whatsapp")}${field("type", mediaType)}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${mediaType}\r\n\r\n`;
	return {
		mediaType: `multipart/form-data; boundary=${boundary}`,
		bytes: Buffer.concat([Buffer.from(start), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
	};
}
