import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { APP_GONE, RemoteAppError } from "../../../src/api/remote-app.ts";
import { notStopped } from "../../../src/cli/words/runs/not-stopped.ts";
import { AppError } from "../../../src/errors/app-error.ts";

const threadId = ThreadId.parse("draft:2026-01-02-abcdefghjk");
const told = (code: string) => notStopped(new RemoteAppError({ code, message: "It failed." }), threadId);

it("promises to send a stop again only where it was written down", () => {
	for (const code of ["ACP_HTTP_CONNECT_FAILED", "BRIDGE_NOT_RUNNING"])
		expect(told(code)).toBe(
			"The bridge hasn't confirmed the stop yet. It failed. XWorkmate sends the request again when it reaches the bridge.",
		);
	for (const code of ["DISK_FULL", APP_GONE, "APP_STOPPED", "APP_DATABASE_DAMAGED", "THREAD_NOT_FOUND"]) {
		expect(told(code)).not.toContain("again when");
		expect(told(code)).toMatch(/: npm run -s xworkmate -- cancel draft:2026-01-02-abcdefghjk$/);
	}
});

it("says of a stop that was asked for in vain what to do", () => {
	const given = new AppError("STOP_NOT_SAVED", "The stop may be lost", "Ask again");
	expect(notStopped(given, threadId)).toBe("The stop may be lost. Ask again.");
});

it("[D4] says that a stop may be lost where the app's own disk is full", () => {
	const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
	expect(notStopped(full, threadId)).toMatch(/might not have been saved, because the disk is full/);
});
