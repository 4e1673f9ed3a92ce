import { createServer } from "node:http";
import { expect, it } from "vitest";
import { stopCommand } from "../../src/cli/stop-command.ts";
import { appEndpointFile, findRunningApp } from "../../src/process/app/running-app.ts";
import { writeEndpoint } from "../../src/process/bridge/bridge-files.ts";
import { createAppToken } from "../../src/server/access/app-token.ts";
import { ownAppHome } from "../../src/store/app-home.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { temporaryHome } from "../support/temporary-home.ts";

it("says that an app isn't responding, and that none is running only if none owns the home", async () => {
	using home = temporaryHome();
	const console = new RecordingConsole();
	{
		using _owned = ownAppHome(home.path);
		await expect(stopCommand({ home: home.path, console })).rejects.toMatchObject({
			code: "APP_HOME_IN_USE",
			message: expect.stringContaining("isn't responding"),
		});
	}
	expect(console.lines).toEqual([]);
	expect(await stopCommand({ home: home.path, console })).toBe(0);
	expect(console.lines).toEqual(["XWorkmate isn't running."]);
});

it("an app that accepts a connection and never answers isn't waited for without end", async () => {
	using home = temporaryHome();
	{
		using _owned = ownAppHome(home.path);
		createAppToken(home.path);
	}
	const suspended = createServer(() => undefined);
	await new Promise<void>((resolve) => suspended.listen(0, "127.0.0.1", resolve));
	const address = suspended.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	writeEndpoint(appEndpointFile(home.path), { url: `http://127.0.0.1:${port}`, pid: process.pid, startedAt: new Date().toISOString() });
	expect(await findRunningApp(home.path)).toBeUndefined();
	suspended.closeAllConnections();
	suspended.close();
});
