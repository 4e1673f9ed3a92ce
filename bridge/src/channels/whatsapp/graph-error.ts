import type { SendOutcome } from "../../ports/channels/channel.ts";

/** What an error from Meta says about a message that was not sent. */
export type Refusal =
	| { readonly kind: "passing" }
	| Pick<Extract<SendOutcome, { kind: "held" }>, "kind" | "code" | "fix">
	| Pick<Extract<SendOutcome, { kind: "refused" }>, "kind" | "code" | "fix">;

const auth: Refusal = {
	kind: "held",
	code: "CHANNEL_AUTH",
	fix: "Create a new access token that has the permission whatsapp_business_messaging, and store it: `npm run -s xworkmate -- channels setup whatsapp --access-token`.",
};
const passing: Refusal = { kind: "passing" };
const blocked = (fix: string): Refusal => ({ kind: "held", code: "CHANNEL_BLOCKED", fix });
const unavailable = (fix: string): Refusal => ({ kind: "held", code: "CHANNEL_UNAVAILABLE", fix });
const recipient = (fix: string): Refusal => ({ kind: "refused", code: "RECIPIENT_REFUSED", fix });
const content: Refusal = { kind: "refused", code: "CONTENT_REFUSED", fix: "Change the message, then send it again." };
const template: Refusal = {
	kind: "held",
	code: "TEMPLATE_INVALID",
	fix: "Check the template in WhatsApp Manager: its name, its language, its approval and its parameters.",
};
const policy = blocked("Open the account in WhatsApp Manager, where Meta explains the problem and what to do.");

/**
 * The codes, apart from 200 to 299 (`refusalOf`), for which Meta documents that the message was not sent. Others prove nothing: 1, 2,
 * 131000 and 131016 are also returned when Meta itself does not know.
 */
const codes: ReadonlyMap<number, Refusal> = new Map<number, Refusal>([
	...[0, 3, 10, 190, 131005].map((code) => [code, auth] as const),
	...[4, 80007, 130429, 131056, 131057].map((code) => [code, passing] as const),
	...[368, 130497, 131031, 131037].map((code) => [code, policy] as const),
	[131042, blocked("Fix the account's payment problem in WhatsApp Manager.")],
	[131048, blocked("Too many people have blocked or reported this number. Check its quality rating in WhatsApp Manager.")],
	[
		131049,
		blocked(
			"WhatsApp is not delivering any more messages of this kind to this recipient right now. Wait at least a day, then send the message again.",
		),
	],
	[33, unavailable("Correct the phone number ID: `npm run -s xworkmate -- channels setup whatsapp --phone-number-id ID`.")],
	[131045, unavailable("Register the number in WhatsApp Manager.")],
	[133010, unavailable("Register the number in WhatsApp Manager.")],
	[131021, recipient("Choose another recipient: a number can't send messages to itself.")],
	[131026, recipient("Check that the number uses a current version of WhatsApp.")],
	[131030, recipient("In Meta's app dashboard, add the number to the recipients of the test number.")],
	[130472, recipient("WhatsApp does not deliver messages of this kind to this recipient. Send the message another way.")],
	[131050, recipient("The recipient has opted out of these messages on WhatsApp. Send the message another way.")],
	...[100, 131008, 131009, 131051, 131052, 131053].map((code) => [code, content] as const),
	[
		131047,
		{
			kind: "held",
			code: "WINDOW_CLOSED",
			fix: "Ask the recipient to send a WhatsApp message to your number, then send this message within 24 hours.",
		},
	],
	...[132000, 132001, 132005, 132007, 132012, 132015, 132016, 132068, 132069].map((code) => [code, template] as const),
]);

/** What an error of the Graph API proves about a message; undefined if it proves nothing. Pure. */
export function refusalOf(code: number, subcode?: number): Refusal | undefined {
	// "Object with ID ... does not exist" concerns the phone number in the URL, not the message.
	if (code === 100 && subcode === 33)
		return unavailable(
			"Correct the phone number ID, and make sure the access token can use it: `npm run -s xworkmate -- channels setup whatsapp --phone-number-id ID`.",
		);
	if (code >= 200 && code <= 299) return auth;
	return codes.get(code);
}
