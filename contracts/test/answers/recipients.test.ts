import { expect, it } from "vitest";
import { activityWith, byAgent, reported } from "./reported-calls.ts";

const call = (command: string) => ({ ...reported, words: "A call", command, status: "succeeded" }) as const;
const after = (text: string, ...commands: readonly string[]) => byAgent(text, activityWith(...commands.map(call)));

it.each([
	["I sent the email to anna@example.com.", "mail -s hi bob"],
	["I sent the email to anna@example.com.", "mail -s 'to anna@example.com' bob < letter.txt"],
	["I sent the email to anna@example.com.", "echo hi | mail -s hi bob@example.com"],
	["I emailed anna@example.com.", "mutt -s hi -- bob@example.com"],
	["I sent the email to Anna.", "mail -s hi bob"],
	["I sent it to anna@example.com and carl@example.com.", "mail -s hi anna@example.com"],
	["I sent it to anna@example.com.", "curl -d to=bob@example.com https://mail.example.com/send"],
])("“%s” is not backed by a message to someone else: %s", (text, command) => {
	expect(after(text, command)).toHaveLength(1);
});

it.each([
	["I sent the email to anna@example.com.", "mail -s 'Hello Bob' anna@example.com"],
	["I sent the email to anna@example.com.", "mail -s hi -a report.pdf anna@example.com"],
	["I sent the email to anna@example.com.", "sendmail -t < letter.eml"],
	["I sent the email to anna@example.com.", "python send_mail.py"],
	["I sent the email to Anna Schmidt.", "mail -s hi a.schmidt@example.com"],
	["I sent the email to Anna.", "mail -s hi anna.schmidt@example.com"],
	["I sent the email to your team.", "mail -s hi bob@example.com"],
	["I sent the email.", "mail -s hi bob"],
	["I sent it from me@example.com to anna@example.com.", "mail -s hi -r me@example.com anna@example.com"],
	["I sent it to anna@example.com and carl@example.com.", "mail -s hi anna@example.com carl@example.com"],
])("“%s” is backed by %s", (text, command) => {
	expect(after(text, command)).toEqual([]);
});

it("needs a call for each recipient", () => {
	const text = "I sent it to anna@example.com and carl@example.com.";
	expect(after(text, "mail -s hi anna@example.com", "mail -s hi carl@example.com")).toEqual([]);
	expect(after(text, "mail -s hi anna@example.com", "mail -s hi bob@example.com")).toHaveLength(1);
});
