import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { browseFolders } from "../../src/settings/browse-folders.ts";
import { settingFunctions } from "../../src/settings/setting-functions.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const refusal = (path: string, why: string) => ({
	code: "WORKSPACE_REFUSED",
	message: `The folder ${path} can't be opened because ${why}.`,
});

describe("the choice of a project folder", () => {
	it("lists the folders inside one, hidden ones marked, and no files and no links", async () => {
		using home = temporaryHome();
		const root = realpathSync(home.path);
		for (const name of ["b", "a", ".git"]) mkdirSync(join(root, name));
		writeFileSync(join(root, "file"), "");
		symlinkSync("/etc", join(root, "link"));
		expect(await browseFolders(root)).toEqual({
			path: root,
			parent: join(root, ".."),
			folders: [
				{ name: ".git", isHidden: true },
				{ name: "a", isHidden: false },
				{ name: "b", isHidden: false },
			],
		});
		expect(await browseFolders("/")).not.toHaveProperty("parent");
		expect((await browseFolders()).path).toBe(realpathSync(homedir()));
	});

	it("refuses a path that leads through a link, and says where it leads", async () => {
		using home = temporaryHome();
		const root = realpathSync(home.path);
		mkdirSync(join(root, "real", "inner"), { recursive: true });
		symlinkSync(join(root, "real"), join(root, "link"));
		for (const [path, to] of [
			["link", "real"],
			["link/inner", "real/inner"],
		] as const) {
			await expect(browseFolders(join(root, path))).rejects.toMatchObject(
				refusal(join(root, path), `its real path is different: ${join(root, to)}`),
			);
		}
	});

	it("refuses what is not a whole path, not there, or no folder", async () => {
		using home = temporaryHome();
		const root = realpathSync(home.path);
		writeFileSync(join(root, "file"), "");
		for (const path of ["src", `${root}/../${root}`, `${root}/`, `${root}\0`])
			await expect(browseFolders(path)).rejects.toMatchObject(refusal(path, "it is not the full path of a folder"));
		await expect(browseFolders(join(root, "none"))).rejects.toMatchObject(refusal(join(root, "none"), "it does not exist"));
		await expect(browseFolders(join(root, "file"))).rejects.toMatchObject(refusal(join(root, "file"), "it is not a folder"));
	});

	it("does not list this computer's folders for a bridge on another", async () => {
		const host = { startedWith: { XWORKMATE_BRIDGE_URL: "https://elsewhere" }, environment: {} };
		const parts = { home: "/h", client: {}, host, onChanged: () => undefined };
		await expect(settingFunctions(parts as never).browseFolders({})).rejects.toMatchObject({
			code: "WORKSPACE_REFUSED",
			message: "The bridge was started elsewhere, so its folders can't be listed here.",
		});
	});
});
