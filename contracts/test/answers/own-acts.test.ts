import { describe, expect, it } from "vitest";
import { checkClaims, claimsOf, namedFiles } from "../../src/index.ts";
import { notOwnActs, ownActs } from "./own-acts.ts";
import { activityWith, byAgent, edit, reported } from "./reported-calls.ts";

const ran = (command: string, status: "succeeded" | "failed" = "succeeded") => ({ ...reported, words: command, command, status }) as const;

describe("what an agent can only have done with a tool", () => {
	it.each(ownActs)("is a claim without a call: %s", (text) => {
		expect(byAgent(text, undefined)).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION", start: /^[☑-]/.test(text) ? expect.any(Number) : 0 }]);
		expect(claimsOf(text, { isMessage: true })).toHaveLength(1);
	});

	it.each(notOwnActs)("is not said by “%s”", (text) => {
		expect(claimsOf(text).map(({ acts }) => acts)).toEqual([]);
		expect(claimsOf(text, { isMessage: true })).toEqual([]);
	});

	it("counts what was done before or after something else", () => {
		const text = "I finished and posted it before you stopped.";
		expect(byAgent(text, undefined, { delivered: ["report.md"] })).toHaveLength(1);
		expect(byAgent(text, activityWith(ran("./post.sh")), { delivered: ["report.md"] })).toEqual([]);
	});

	it("reads each ticked line by itself", () => {
		const text = "Status:\n☑ Sent the invoice\n☑ Deployed\n☐ Not booked";
		expect(claimsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(["☑ Sent the invoice", "☑ Deployed"]);
	});

	it.each([
		["I ran the tests.", "npm test"],
		["I ran the migration.", "npx prisma migrate deploy"],
		["I ran the linter.", "npx eslint ."],
		["I backed up the database.", "pg_dump app > app.sql"],
		["I backed up the config.", "cp config.json config.json.bak"],
		["I opened PR 42.", "gh pr create --fill"],
		["I signed the release.", "gpg --sign app.tar.gz"],
		["I dropped the table.", "psql -c 'DROP TABLE users'"],
		["Successfully deployed v2.", "kubectl apply -f app.yml"],
		["We just rolled out v2.", "kubectl rollout restart deployment/app"],
		["I rolled back the release.", "git revert HEAD"],
	])("“%s” is backed by %s", (text, command) => {
		expect(byAgent(text, activityWith(ran(command)))).toEqual([]);
		expect(byAgent(text, activityWith(ran("cat notes.txt"), { ...edit, words: "Edit notes.txt", status: "succeeded" }))).toHaveLength(
			/tests|linter/.test(text) || !text.startsWith("I ran") ? 1 : 0,
		);
	});

	it("says that tests were run also if they failed", () => {
		expect(byAgent("I ran the tests: 3 failed.", activityWith(ran("npm test", "failed")))).toEqual([]);
		expect(byAgent("I ran the tests.", activityWith(ran("npm run lint")))).toHaveLength(1);
		expect(byAgent("I ran the tests.", activityWith(ran("npm test --help")))).toHaveLength(1);
	});

	it("takes any call as evidence that something was checked", () => {
		const read = { ...reported, risk: "read", words: "Read a.ts", status: "succeeded" } as const;
		for (const text of ["I verified the fix.", "I double-checked all results by hand.", "我验证了修复。"]) {
			expect(byAgent(text, activityWith(read)), text).toEqual([]);
			expect(checkClaims(text, activityWith({ risk: "read", status: "succeeded" }), 0), text).toEqual([]);
			expect(checkClaims(text, activityWith(), 0), text).toHaveLength(1);
		}
		expect(byAgent("I verified the fix and deployed it.", activityWith(read))).toHaveLength(1);
		expect(namedFiles("I verified a.ts and tested b.ts.")).toEqual([]);
	});
});
