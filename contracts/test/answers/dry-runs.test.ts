import { describe, expect, it } from "vitest";
import { ReportedToolId } from "../../src/index.ts";
import { activityWith, byAgent, reported } from "./reported-calls.ts";

const after = (command: string, text: string) =>
	byAgent(text, activityWith({ ...reported, words: "A call", command, status: "succeeded" }));

describe("a command that only says what it would do", () => {
	it.each([
		["git push --dry-run", "I pushed the branch."],
		["git push -n origin main", "I pushed the branch."],
		["bash -lc 'cd app && git push --dry-run 2>&1'", "I pushed the branch."],
		["git push --dry-run | tee log.txt", "I pushed the branch."],
		["git push \\\n  --dry-run", "I pushed the branch."],
		["# git push", "I pushed the branch."],
		["exit 0; git push", "I pushed the branch."],
		["set -e; git push --dry-run; echo pushed", "I pushed the branch."],
		["if git push --dry-run; then echo ok; fi", "I created the report."],
		["npm publish --dry-run", "I published the package."],
		["npm publish --dry-run=true", "I published the package."],
		["git commit --dry-run -m 'Fix it'", "I committed the change."],
		["rm --help", "I deleted the old build folder."],
		["rm --version", "I deleted the old build folder."],
		["man rm", "I deleted the old build folder."],
		["rm --help", "I deleted build/old.txt."],
		["npm install -h", "I installed the packages."],
	])("%j is no evidence for “%s”", (command, text) => {
		expect(after(command, text)).toMatchObject([{ start: 0, end: text.length }]);
	});

	it.each([
		["git push", "I pushed the branch."],
		["git push --no-verify", "I pushed the branch."],
		["cd app && git push", "I pushed the branch."],
		["git push --dry-run && git push", "I pushed the branch."],
		["git commit -n -m 'Explain --dry-run and --help'", "I committed the change."],
		["git commit -m 'Fix the # of rows'", "I committed the change."],
		["kubectl apply -f deploy.yml --dry-run=none", "I deployed it."],
		["helm install app --version 2", "I installed the app."],
		["rm -rf build", "I deleted the old build folder."],
		["git branch -D old", "I deleted the old branch."],
		["echo old.txt | xargs rm", "I deleted old.txt."],
		["npm install -h && npm install", "I installed the packages."],
		["git push --help", "Done!"],
	])("%j is evidence for “%s”", (command, text) => {
		expect(after(command, text)).toEqual([]);
	});
});

describe("a tool's call that does not do it", () => {
	const called = (words: string, text: string, kind = "codex:other") =>
		byAgent(text, activityWith({ ...reported, toolId: ReportedToolId.parse(kind), words, status: "succeeded" }));

	it.each([
		["send_email (dry run)", "I sent the mail."],
		["Simulate the payment", "I paid the invoice."],
		["gmail.create_draft", "I sent the mail."],
		["Draft an email to Anna", "I emailed Anna."],
	])("is no evidence: %s", (words, text) => {
		expect(called(words, text)).toMatchObject([{ start: 0, end: text.length }]);
	});

	it.each([
		["gmail.send_draft", "I sent the mail."],
		["send_email", "I sent the mail."],
		["gmail.create_draft", "I created the draft."],
		["Deploy a preview", "I deployed it."],
		["Create the event Dry run of the show", "I created the event."],
		["Send: draft agenda", "I sent the mail."],
	])("is evidence if it does: %s", (words, text) => {
		expect(called(words, text)).toEqual([]);
	});

	it("is evidence whatever its files are called, and a command whatever the mail is about", () => {
		expect(called("src/simulate.py", "I fixed the rounding bug.", "codex:edit")).toEqual([]);
		expect(after('mail -s "Draft agenda" anna@example.com < a.txt', "I sent the mail to anna@example.com.")).toEqual([]);
	});
});

describe("a command that may have failed although its line succeeded", () => {
	it.each([
		["git push; echo", "I pushed the branch."],
		["git push; echo done", "I pushed the branch."],
		["git push || true", "I pushed the branch."],
		["git push\necho pushed", "I pushed the branch."],
		["bash -lc 'git push; true'", "I pushed the branch."],
		["git push & sleep 3", "I pushed the branch."],
		["npm publish; exit 0", "I published the package."],
		["mail -s Hi anna@example.com < note.txt; echo sent", "I sent the mail to anna@example.com."],
	])("%j is no evidence for “%s”", (command, text) => {
		expect(after(command, text)).toMatchObject([{ start: 0, end: text.length }]);
	});

	it.each([
		["git push && echo done", "I pushed the branch."],
		["git push 2>&1 | tail -3 && echo done", "I pushed the branch."],
		["git fetch; git push && echo done", "I pushed the branch."],
		["set -e; git push; echo done", "I pushed the branch."],
		["git commit -m x; git push; git status", "I committed and pushed the changes."],
		["git push origin main 2>&1 | tail -5", "I pushed the branch."],
		["echo start; git push", "I pushed the branch."],
		// A file shows whether it was written or removed.
		["sed -i s/a/b/ parser.ts; echo done", "I fixed the parser."],
		["rm -rf build; echo done", "I deleted the old build folder."],
	])("%j is evidence for “%s”", (command, text) => {
		expect(after(command, text)).toEqual([]);
	});
});
