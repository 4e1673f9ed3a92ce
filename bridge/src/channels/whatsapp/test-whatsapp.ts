import type { ChannelTestStep, Unavailable } from "@xworkmate/contracts";
import { type NotSent, sendOutcome } from "./send-outcome.ts";
import type { WhatsAppRequests } from "./whatsapp-requests.ts";
import type { WhatsAppAccount } from "./whatsapp-settings.ts";

export interface TestResult {
	readonly ok: boolean;
	readonly steps: readonly ChannelTestStep[];
	readonly problem?: Unavailable;
}

const TEXT = "This is a test message from XWorkmate. WhatsApp works.";

/**
 * Reads the sending number, then sends one message: the template if one is set, which also reaches people who have not written for 24
 * hours, and otherwise a plain text.
 */
export async function testWhatsApp(account: WhatsAppAccount, address: string, requests: WhatsAppRequests): Promise<TestResult> {
	const { host, protocol } = new URL(account.url);
	const done: ChannelTestStep[] = [{ step: "settings", ok: true, message: "The settings are complete." }];
	const pass = (step: ChannelTestStep["step"], message: string) => done.push({ step, ok: true, message });
	const fail = (step: ChannelTestStep["step"], outcome: NotSent): TestResult => ({
		ok: false,
		steps: [...done, { step, ok: false, message: outcome.message.slice(0, 1_000) }],
		problem: problemOf(outcome),
	});
	const number = await requests.number();
	if (number.kind === "failed") return fail(number.step, number.outcome);
	pass("connect", `${host} answers.`);
	if (protocol === "https:") pass("encrypt", `The connection is encrypted, and the server is ${host}.`);
	pass("sign_in", `The access token is accepted. Messages are sent from ${number.shown}.`.slice(0, 1_000));
	const end = await requests.message(Buffer.from(JSON.stringify(testMessage(account, address))), () => Promise.resolve());
	const outcome = sendOutcome(end, account, false);
	if (outcome.kind !== "accepted") return fail("send", outcome);
	const what = account.template === undefined ? "the message" : `the template ${account.template.name}`;
	pass("send", `WhatsApp received ${what}.`);
	const { message = "WhatsApp accepted the message." } = outcome;
	pass("accepted", `${message} Check whether it arrives on the recipient's phone.`);
	return { ok: true, steps: done };
}

function testMessage({ template }: WhatsAppAccount, to: string) {
	const common = { messaging_product: "whatsapp", recipient_type: "individual", to };
	if (template === undefined) return { ...common, type: "text", text: { preview_url: false, body: TEXT } };
	return { ...common, type: "template", template: { name: template.name, language: { code: template.language } } };
}

function problemOf(outcome: NotSent): Unavailable {
	switch (outcome.kind) {
		case "passing":
			return { code: "CHANNEL_UNAVAILABLE", message: outcome.message, fix: "Try again later, and check the network if this continues." };
		case "no_answer":
			return { code: "NO_ANSWER", message: outcome.message, fix: "Check whether the test message has arrived." };
		case "held":
		case "refused":
			return { code: outcome.code, message: outcome.message, fix: outcome.fix };
	}
}
