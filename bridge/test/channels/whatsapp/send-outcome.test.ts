import { expect, it } from "vitest";
import { sendOutcome } from "../../../src/channels/whatsapp/send-outcome.ts";
import type { WhatsAppAccount } from "../../../src/channels/whatsapp/whatsapp-settings.ts";

const account: WhatsAppAccount = {
	url: "https://graph.example/v1",
	accessToken: "fake-access-token",
	phoneNumberId: "100",
	hasWebhookSecrets: false,
};
const answered = (status: number, body: object) => sendOutcome({ kind: "answer", status, body: JSON.stringify(body) }, account, false);
const accepted = { kind: "accepted", proof: "accepted", providerMessageId: "wamid.A" };

it.each([
	["held_for_quality_assessment", "is holding it to assess its quality, and may then send it or drop it."],
	["paused", "has not confirmed that it will send it (message status: paused)."],
])("a message that is accepted, but not sent at once, awaits its proof even without webhooks: %s", (message_status, said) => {
	expect(answered(200, { messages: [{ id: "wamid.A", message_status }] })).toEqual({
		...{ ...accepted, awaitsProof: true },
		message: `WhatsApp accepted the message, but ${said}`,
	});
});

it.each([{}, { message_status: "accepted" }, { message_status: 7 }])("a message that is accepted, and no more is said: %j", (status) => {
	expect(answered(200, { messages: [{ id: "wamid.A", ...status }] })).toEqual(accepted);
});

it.each([200, 500])("an error that leaves open what became of the message is quoted: %i", (status) => {
	expect(answered(status, { error: { code: 131_000, message: "Something went wrong" } })).toEqual({
		kind: "no_answer",
		message: `graph.example responded with ${status} and an error that does not say whether it accepted the message: Something went wrong (131000)`,
	});
});
