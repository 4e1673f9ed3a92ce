import type { ChannelId, Contact } from "@xworkmate/contracts";
import { ContactId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChatScene, chatDraft } from "../../../src/plans/chat/chat-draft.ts";
import { planWords } from "../../../src/plans/chat/plan-words.ts";
import { TaskForm } from "../../../src/plans/words/plan-form.ts";

const now = Date.parse("2026-11-23T10:00:00+07:00");
const contacts: readonly Contact[] = [{ contactId: ContactId.parse("anna"), name: "Anna", addresses: { email: "anna@example.com" } }];
const all: readonly ChannelId[] = ["whatsapp", "email", "dashboard"];
const scene = (prompt: string, ...earlier: readonly string[]): ChatScene => ({
	...{ prompt, earlier, timezone: "Asia/Bangkok", now, contacts },
	channels: all.map((channel) => ({ channel, hasOwner: true })),
});
const mom = "WhatsApp me at 5pm: Don't forget to call mom";
const task = (change: Record<string, unknown> = {}) =>
	TaskForm.parse({
		title: "Call mom",
		delivery: [{ channel: "whatsapp", channelWords: "WhatsApp", recipient: "me", content: "Don't forget to call mom" }],
		when: { kind: "at", clock: { hour: 17 }, words: ["at 5pm"] },
		...change,
	});
const refusal = (draft: ReturnType<typeof chatDraft>) => (draft.kind === "refused" ? draft.message : "");
function wordsOf(draft: ReturnType<typeof chatDraft>): string | undefined {
	if (draft.kind === "refused") throw new Error(draft.message);
	return planWords(draft, { channels: [{ channel: "discord", hasOwner: true, ownerWords: "your usual channel" }], contacts, now });
}

describe("a plan of a chat", () => {
	it("has the words' own message, recipient and channel, and a time that the bridge computed", () => {
		const draft = chatDraft(task(), scene(mom));
		expect(draft).toMatchObject({
			kind: "plan",
			terms: {
				title: "Call mom",
				type: "scheduled",
				scheduledFor: "2026-11-23T10:00:00.000Z",
				timezone: "Asia/Bangkok",
				delivery: [{ channel: "whatsapp", content: "Don't forget to call mom" }],
				instructions: "",
				words: mom,
			},
		});
		expect(wordsOf(draft)).toBe(
			'Create the plan "Call mom", due once, on Mon 23 Nov 2026 at 17:00 (Bangkok); by WhatsApp to you: exactly "Don\'t forget to call mom"',
		);
	});

	const email = { channel: "email", channelWords: "email", content: "Hello" };
	const other = (change: object) => task({ delivery: [{ ...email, ...change }] });
	it.each([
		["a message in other words", "CONTENT_CHANGED", mom, task({ delivery: [{ channel: "whatsapp", content: "Call your mother" }] })],
		["somebody whom nobody named", "RECIPIENT_UNKNOWN", "Email Anna at 5pm: Hello", other({ recipient: "Eve" })],
		["an address", "RECIPIENT_UNKNOWN", "Email evil@example.net at 5pm: Hello", other({ recipient: "evil@example.net" })],
		["a name that is no contact", "RECIPIENT_UNKNOWN", "Email Zoe at 5pm: Hello", other({ recipient: "Zoe" })],
		["a channel that is not named", "CHANNEL_MISSING", "Tell me at 5pm: Hello", other({})],
		["a channel that there is not", "CHANNEL_UNKNOWN", "Telegram me at 5pm: Hello", other({ channel: "other", channelWords: "Telegram" })],
		["a time that is over", "TIME_PAST", "Email me at 5am: Hello", other({})],
		["a time that is not said", "TIME_UNCLEAR", "Email me at 6pm: Hello", other({})],
	])("is none with %s, and says what to ask", (_what, code, prompt, form) => {
		const when = code === "TIME_PAST" ? { kind: "at" as const, clock: { hour: 5, minute: 0 }, words: ["at 5am"] } : form.when;
		expect(refusal(chatDraft({ ...form, when }, scene(prompt)))).toContain(`${code}: `);
	});

	it("names the answers to what is open, and takes the answer of the next message", () => {
		const form = task({ delivery: [{ channel: "email", channelWords: "email", content: "Call mom" }] });
		const first = "At 5pm, tell me: Call mom";
		expect(refusal(chatDraft(form, scene(first)))).toContain('"WhatsApp, to you", "Email, to you"');
		expect(chatDraft(form, scene("by email please", first))).toMatchObject({ kind: "plan", terms: { delivery: [{ channel: "email" }] } });
	});

	it("says, before anything is made, that a message to oneself appears in a channel that others may read", () => {
		const prompt = "Discord me at 5pm: Hello";
		const usual = { channel: "discord", hasOwner: true, ownerWords: "your usual channel" } as const;
		const form = task({ delivery: [{ channel: "discord", channelWords: "Discord", recipient: "me", content: "Hello" }] });
		expect(wordsOf(chatDraft(form, { ...scene(prompt), channels: [usual] }))).toContain(
			'by Discord to your usual channel: exactly "Hello"',
		);
		const open = task({ delivery: [{ channel: "other", channelWords: "Telegram", content: "Hello" }] });
		expect(refusal(chatDraft(open, { ...scene("Telegram me at 5pm: Hello"), channels: [usual] }))).toContain(
			'"Discord, to your usual channel"',
		);
	});

	it("is of the newest message alone if that says everything: whoever was named before is not meant", () => {
		expect(chatDraft(task(), scene(mom, "Anna said “hello” to eve@example.net yesterday"))).toMatchObject({ kind: "plan" });
	});

	it("tells an agent what is not given word for word, and shows what it is told", () => {
		const form = task({
			title: "News",
			instructions: "Only good news",
			work: ["Sum up the news"],
			delivery: [{ channel: "email", channelWords: "email", recipient: "Anna" }],
			when: { kind: "every", days: "day", clock: { hour: 9 }, words: ["every day at 9am"] },
		});
		expect(wordsOf(chatDraft(form, scene("Email Anna a summary of the news every day at 9am")))).toBe(
			'Create the plan "News", due every day at 09:00 (Bangkok); next: 24 Nov 09:00, 25 Nov 09:00, 26 Nov 09:00; ' +
				'an agent gets these instructions: "Only good news", "Sum up the news"; by email to "Anna": what the agent writes',
		);
	});

	it("is not asked about if it can't be shown whole, or if the message is too long to be read", () => {
		const content = "mom ".repeat(200).trim();
		const long = chatDraft(
			task({ delivery: [{ channel: "whatsapp", channelWords: "WhatsApp", content }] }),
			scene(`WhatsApp me at 5pm: ${content}`),
		);
		expect(wordsOf(long)).toBeUndefined();
		expect(refusal(chatDraft(task(), scene(`${mom} ${"x".repeat(4_000)}`)))).toContain("too long");
	});

	it("is shown so that no title looks like the words around it", () => {
		const title = 'x", due now; by email to "Anna';
		expect(wordsOf(chatDraft(task({ title }), scene(mom)))).toContain('Create the plan "x\\", due now; by email to \\"Anna", due once');
	});

	it("never has a message or a recipient that the words don't have, whatever the model says", () => {
		const text = fc.constantFrom("Don't forget to call mom", "Call mom", "Anna", "me", "evil@example.net", "Pay 5,000 now", "Eve");
		fc.assert(
			fc.property(
				text,
				fc.option(text, { nil: undefined }),
				fc.constantFrom("whatsapp", "email", "dashboard"),
				(content, recipient, channel) => {
					const message = { channel, channelWords: channel, content, ...(recipient !== undefined && { recipient }) };
					const draft = chatDraft(task({ delivery: [message] }), scene(mom));
					if (draft.kind === "refused") return;
					expect(draft.terms.delivery).toEqual([{ channel: "whatsapp", content: expect.any(String) }]);
					expect(mom).toContain(draft.terms.delivery[0]?.content);
				},
			),
		);
	});
});
