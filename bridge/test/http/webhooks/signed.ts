import { createHmac } from "node:crypto";

/** As Meta signs what it sends. */
export function signature(body: string | Buffer, secret: string, algorithm: "sha256" | "sha1" = "sha256"): string {
	return `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
}

/** A call of WhatsApp with one status, with escapes as Meta writes them. */
export function statusCall(id: string, status: string, more: object = {}): string {
	const metadata = { display_phone_number: "15550783881", phone_number_id: "106540352242922" };
	const one = { id, status, timestamp: "1767571200", recipient_id: "15550001111", ...more };
	return callOf({ messaging_product: "whatsapp", metadata, statuses: [one] });
}

export function callOf(value: unknown): string {
	const body = { object: "whatsapp_business_account", entry: [{ id: "102290129340398", changes: [{ value, field: "messages" }] }] };
	return JSON.stringify(body).replaceAll("/", "\\/").replaceAll("é", "\\u00e9");
}
