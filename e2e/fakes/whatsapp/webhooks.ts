import { createHmac } from "node:crypto";
import { z } from "zod";
import { statusError } from "./errors.ts";
import type { WhatsAppWorld } from "./whatsapp-world.ts";

/** Reports about a message; the newest, if none is named. */
export const TellStatus = z.strictObject({
	id: z.string().optional(),
	status: z.enum(["sent", "delivered", "read", "failed"]),
	/** Of `failed`. */
	code: z.int().default(131026),
	/** Twice or more: Meta does so. */
	times: z.int().min(1).default(1),
});
export const TellReply = z.strictObject({ from: z.string().regex(/^\d+$/), text: z.string().default("Thanks") });
export const WebhookTarget = z.strictObject({
	url: z.url(),
	/** Reported automatically about each accepted message, in this order. */
	automatic: z.array(z.enum(["sent", "delivered", "read"])).default([]),
});

/** Tells what happens to messages, as Meta does: signed over the very bytes, in which everything beyond ASCII is escaped. */
export class Webhooks {
	readonly appSecret = "fake-whatsapp-app-secret";
	readonly verifyToken = "fake-whatsapp-verify-token";
	readonly #world: WhatsAppWorld;
	#target: z.infer<typeof WebhookTarget> | undefined;

	constructor(world: WhatsAppWorld) {
		this.#world = world;
	}

	aim(target: z.infer<typeof WebhookTarget>): void {
		this.#target = target;
	}

	/** After a message was accepted. */
	async automatically(id: string): Promise<void> {
		const message = this.#world.messages.find((one) => one.id === id);
		if (message?.failsLater === true) await this.status({ id, status: "failed", code: 131047, times: 1 });
		else for (const status of this.#target?.automatic ?? []) await this.status({ id, status, code: 0, times: 1 });
	}

	/** HTTP statuses of the answers. */
	async status({ id, status, code, times }: z.infer<typeof TellStatus>): Promise<readonly number[]> {
		const message = id === undefined ? this.#world.messages.at(-1) : this.#world.messages.find((one) => one.id === id);
		const entry = {
			id: message?.id ?? id ?? "wamid.UNKNOWN",
			status,
			timestamp: String(Math.floor(Date.now() / 1_000)),
			recipient_id: message?.to ?? "16505551234",
			...(message?.callbackData !== undefined && { biz_opaque_callback_data: message.callbackData }),
			...(status === "failed" && { errors: [statusError(code)] }),
		};
		const answers: number[] = [];
		for (let n = 0; n < times; n++) answers.push(await this.#post({ statuses: [entry] }));
		return answers;
	}

	async reply({ from, text }: z.infer<typeof TellReply>): Promise<readonly number[]> {
		this.#world.wrote(from);
		const message = {
			from,
			id: `wamid.HBgM${Buffer.from(`${from}${Date.now()}`).toString("base64")}`,
			timestamp: String(Math.floor(Date.now() / 1_000)),
			type: "text",
			text: { body: text },
		};
		return [await this.#post({ contacts: [{ profile: { name: "Zoë 🏖" }, wa_id: from }], messages: [message] })];
	}

	/** Meta's question whether the webhook is the user's. */
	async verify(): Promise<{ readonly status: number; readonly body: string }> {
		const url = new URL(this.#target?.url ?? "");
		url.search = String(
			new URLSearchParams({ "hub.mode": "subscribe", "hub.challenge": "1158201444", "hub.verify_token": this.verifyToken }),
		);
		const answer = await fetch(url);
		return { status: answer.status, body: await answer.text() };
	}

	async #post(news: object): Promise<number> {
		if (this.#target === undefined) return 0;
		const metadata = { display_phone_number: this.#world.sender, phone_number_id: this.#world.phoneNumberId };
		const value = { messaging_product: "whatsapp", metadata, ...news };
		const entry = [{ id: this.#world.businessAccountId, changes: [{ value, field: "messages" }] }];
		const body = escaped(JSON.stringify({ object: "whatsapp_business_account", entry }));
		const sign = (algorithm: string) => `${algorithm}=${createHmac(algorithm, this.appSecret).update(body).digest("hex")}`;
		const headers = { "content-type": "application/json", "x-hub-signature": sign("sha1"), "x-hub-signature-256": sign("sha256") };
		return (await fetch(this.#target.url, { method: "POST", headers, body })).status;
	}
}

/** Slashes too. */
function escaped(json: string): string {
	return json
		.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
		.replaceAll("/", "\\/");
}
