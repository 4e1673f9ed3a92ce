import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ApprovalId, ProviderId, ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GrantBar } from "../../../src/ui/approvals/grant-bar.tsx";
import { grantOffer } from "../../../src/ui/approvals/grant-hint.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
});
afterEach(() => {
	app[Symbol.dispose]();
	cleanup();
});

const given = (more: object = {}) =>
	approval({
		...{ state: "decided", decision: "allow_window", decidedAt: new Date(Date.now() - 60_000).toISOString(), windowSeconds: 900 },
		...{ grantScope: { kind: "program", words: ["npm", "test"] }, ...more },
	});
const shown = (...grants: ReturnType<typeof approval>[]) => {
	const here = new InApp({ ...appState, grants });
	let gone = 0;
	render(<GrantBar threadId={ThreadId.parse("thread1")} onGone={() => gone++} />, { wrapper: here.wrapper });
	return { here, gone: () => gone };
};

describe("[D2] the grants of a thread", () => {
	it("name the command that they hold for, whatever its agent calls it", () => {
		const input = { text: JSON.stringify({ command: "rm -rf /home" }), truncated: false };
		shown(given({ grantScope: { kind: "request", sha256: "0".repeat(64) }, title: "Read a file", toolKind: "read", input }));
		const text = screen.getByRole("list", { name: "Permissions in this thread" }).textContent;
		expect(text).toContain("rm -rf /home");
		expect(text).not.toContain("Read a file");
	});

	it("are named with what they cover and until when, and each can be revoked", async () => {
		const { here, gone } = shown(given());
		expect(screen.getByRole("list", { name: "Permissions in this thread" }).textContent).toMatch(
			/^Commands “npm test …”, allowed until \d{1,2}:\d\dRevoke$/,
		);
		app.answers.set("revokeGrant", () => ({ record: given({ revokedAt: new Date().toISOString() }), applied: true }));
		fireEvent.click(screen.getByRole("button", { name: /^Revoke: Commands “npm test …”/ }));
		await until("it is said", () => here.said.length > 0);
		expect(here.said).toEqual(["Permission revoked"]);
		expect(gone()).toBe(1);
		expect(app.of("revokeGrant")).toEqual([{ approvalId: "ask1" }]);
	});

	it("read differently if they cover different options of the same command, and so do their buttons", () => {
		const titles = ["npm test", "npm test --watch", "npm test -- foo"];
		shown(...titles.map((title, index) => given({ title, approvalId: ApprovalId.parse(`ask${index}`) })));
		const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label")?.replace(/, allowed until .*/, ""));
		expect(names).toEqual([
			"Revoke: Commands “npm test …”",
			"Revoke: Commands “npm test …” with the options of “npm test --watch”",
			"Revoke: Commands “npm test …” with the options of “npm test -- foo”",
		]);
		const scope = { kind: "program" as const, words: ["npm", "test"], tool: "sh - " };
		const offered = { options: ["allow_window" as const], windowSeconds: 900, grantScope: scope };
		const offer = (title: string) => grantOffer(approval({ ...offered, title }));
		expect(offer("sh - npm test")).toBe("Allow “npm test …” commands in this thread and working folder for 15 min");
		expect(offer("sh - npm test '--watch'")).toBe(
			"Allow “npm test …” commands with the options of “npm test '--watch'” in this thread and working folder for 15 min",
		);
	});

	it("say in their place that they were not revoked, until they are", async () => {
		const { here } = shown(given());
		app.lost.add("revokeGrant");
		const revoke = () => fireEvent.click(screen.getByRole("button", { name: /^Revoke: / }));
		revoke();
		expect(await screen.findByText("Not revoked. Try again.")).toBeTruthy();
		expect(here.said).toEqual([]);
		app.lost.clear();
		app.answers.set("revokeGrant", () => ({ record: given({ revokedAt: new Date().toISOString() }), applied: true }));
		revoke();
		await until("it is said", () => here.said.length > 0);
		expect(screen.queryByText(/Not revoked/)).toBeNull();
	});

	it("name the agent and the folder that they hold for, where their record says so", () => {
		const asker = { target: "agent", providerId: ProviderId.parse("codex") } as const;
		shown(
			given({ asker: { ...asker, workingDirectory: "/proj" } }),
			given({ approvalId: ApprovalId.parse("ask2"), asker }),
			given({ approvalId: ApprovalId.parse("ask3"), asker: { ...asker, target: "gateway" } }),
		);
		expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
			expect.stringMatching(/^Commands “npm test …” by codex in \/proj, allowed until \d{1,2}:\d\dRevoke$/),
			expect.stringMatching(/^Commands “npm test …” by codex in the agent’s workspace, allowed until \d{1,2}:\d\dRevoke$/),
			expect.stringMatching(/^Commands “npm test …” by codex, allowed until \d{1,2}:\d\dRevoke$/),
		]);
	});

	it("say that they are off only until the bridge restarts, if the disk had no space for the revocation", async () => {
		const { here } = shown(given(), given({ approvalId: ApprovalId.parse("ask2"), revokedAt: new Date().toISOString() }));
		const text = "Commands “npm test …”, revoked until the bridge restarts. Revoke it again once there is space.";
		expect(screen.getAllByRole("listitem")[1]?.textContent).toBe(`${text}Revoke`);
		app.answers.set("revokeGrant", () => {
			throw Object.assign(new Error("full"), { name: "DISK_FULL" });
		});
		fireEvent.click(screen.getByRole("button", { name: `Revoke: ${text}` }));
		await until("it is refused", () => screen.getByRole("button", { name: `Revoke: ${text}` }).getAttribute("aria-disabled") === "false");
		expect([app.of("revokeGrant"), screen.queryByText(/Not revoked/), here.said]).toEqual([[{ approvalId: "ask2" }], null, []]);
	});

	it("say nothing of a failure, if the disk had no space for the revocation and the list doesn't show it yet", async () => {
		shown(given());
		app.answers.set("revokeGrant", () => {
			throw Object.assign(new Error("full"), { name: "DISK_FULL" });
		});
		const button = screen.getByRole("button", { name: /^Revoke: / });
		fireEvent.click(button);
		await until("it is refused", () => app.of("revokeGrant").length === 1 && button.getAttribute("aria-disabled") === "false");
		expect(screen.queryByText(/Not revoked/)).toBeNull();
	});

	it("are those of this thread whose time is not over and whose scope is known", () => {
		const { grantScope: _none, ...old } = given();
		shown(given({ threadId: ThreadId.parse("other") }), given({ decidedAt: new Date(Date.now() - 960_000).toISOString() }), old);
		expect(screen.queryByRole("button")).toBeNull();
	});
});
