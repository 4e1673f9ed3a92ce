import type { ChannelTestStep, Unavailable } from "@xworkmate/contracts";
import type { SendOutcome } from "../../ports/channels/channel.ts";
import type { MailServer } from "./email-settings.ts";
import type { SmtpEnd, SmtpPhase } from "./smtp-exchange.ts";
import { isUngreeted } from "./smtp-outcome.ts";

type Step = ChannelTestStep["step"];

const stepOf: Readonly<Record<SmtpPhase, Step>> = {
	connect: "connect",
	sign_in: "sign_in",
	envelope: "send",
	content: "send",
	given: "send",
};

/** The steps of a test message, up to the one that failed. Pure. */
export function testSteps({ host, port, security, auth }: MailServer, end: SmtpEnd, outcome: SendOutcome): readonly ChannelTestStep[] {
	const steps: readonly { readonly step: Step; readonly message: string }[] = [
		{ step: "settings", message: "The settings are complete." },
		{ step: "connect", message: `${host}:${port} answers.` },
		...(security === "none" ? [] : [{ step: "encrypt" as const, message: `The connection is encrypted, and the server is ${host}.` }]),
		...(auth === undefined ? [] : [{ step: "sign_in" as const, message: `Signed in as ${auth.user}.` }]),
		{ step: "send", message: "The whole message was sent." },
		{ step: "accepted", message: "The server accepted the message." },
	];
	if (outcome.kind === "accepted") return steps.map((step) => ({ ...step, ok: true }));
	const failed = failedStep(end, outcome);
	const index = steps.findIndex(({ step }) => step === failed);
	const before = steps.slice(0, index).map((step) => ({ ...step, ok: true }));
	return [...before, { step: failed, ok: false, message: outcome.message.slice(0, 1_000) }];
}

/** Why a test failed, and what to do; undefined if it succeeded. Pure. */
export function testProblem(server: MailServer, end: SmtpEnd, outcome: SendOutcome): Unavailable | undefined {
	switch (outcome.kind) {
		case "accepted":
			return undefined;
		case "passing":
			return { code: "CHANNEL_UNAVAILABLE", message: outcome.message, fix: passingFix(server, end) };
		case "no_answer":
			return { code: "NO_ANSWER", message: outcome.message, fix: "Check whether the test message has arrived." };
		case "held":
		case "refused":
			return { code: outcome.code, message: outcome.message, fix: outcome.fix };
	}
}

function passingFix(server: MailServer, end: SmtpEnd): string {
	// The server sent a complete reply that asks for another attempt.
	if (end.kind === "refused") return "Wait a few minutes, then test the channel again.";
	if (end.kind === "broken" && isUngreeted(end, server))
		return "If the port expects TLS from the start, as 465 usually does, set the encryption (`security`) to TLS. Then test the channel again.";
	return "Check the host, port and network, then test the channel again.";
}

/** The step that failed. If a server is reached but not trusted, the encryption failed, not the connection. */
function failedStep(end: SmtpEnd, outcome: SendOutcome): Step {
	// Only a reply to the whole message shows that the server has read it.
	if (end.kind === "accepted" || (end.kind === "refused" && end.phase === "given")) return "accepted";
	const isEncryption = end.phase === "connect" && outcome.kind === "held" && outcome.code === "CHANNEL_UNAVAILABLE";
	return isEncryption ? "encrypt" : stepOf[end.phase];
}
