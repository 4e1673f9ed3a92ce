import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { AppHomeInUse } from "../../src/errors/app-error.ts";
import { ownAppHome } from "../../src/store/app-home.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const owner = `
	import { ownAppHome } from ${JSON.stringify(new URL("../../src/store/app-home.ts", import.meta.url).href)};
	globalThis.kept = ownAppHome(process.argv[1]);
	console.log("owned");
	setInterval(() => undefined, 1000);
`;

it("one process owns the home; a killed one leaves it free", async () => {
	using home = temporaryHome();
	const child = spawn(process.execPath, ["--input-type=module", "-e", owner, home.path], { stdio: ["ignore", "pipe", "inherit"] });
	try {
		await once(createInterface({ input: child.stdout }), "line");
		expect(() => ownAppHome(home.path)).toThrow(AppHomeInUse);
		expect(() => ownAppHome(home.path)).toThrow(expect.objectContaining({ code: "APP_HOME_IN_USE" }));
		const exited = once(child, "exit");
		child.kill("SIGKILL");
		await exited;
		using owned = ownAppHome(home.path);
		expect(statSync(owned.appFolder).mode & 0o777).toBe(0o700);
		expect(() => ownAppHome(home.path)).toThrow(AppHomeInUse);
	} finally {
		child.kill("SIGKILL");
	}
	ownAppHome(home.path)[Symbol.dispose]();
});

it("what people wrote is for this user alone, also where an earlier version left it open", () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	const modes = () =>
		readdirSync(home.path)
			.filter((name) => name.startsWith("app.sqlite"))
			.map((name) => statSync(join(home.path, name)).mode & 0o777);
	const store = new SqliteThreadStore(path);
	expect(modes()).toEqual([0o600, 0o600, 0o600]);
	store.close();
	chmodSync(path, 0o644);
	const again = new SqliteThreadStore(path);
	expect(modes()).toEqual([0o600, 0o600, 0o600]);
	again.close();
});
