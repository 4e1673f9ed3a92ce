import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { editScene, git, threadId, write } from "./edit-scene.ts";

// Dozens of git processes: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

/** Commits a change in a worktree, and returns what the bridge and git say of its author. */
async function committed(configure: (project: string, userHome: string, worktree: string) => void) {
	await using scene = await editScene();
	const { directory } = await scene.runInWorktree();
	write(directory, { "a.txt": "A\n" });
	await scene.endRun();
	configure(scene.project, join(scene.home, "home"), directory);
	const { seen } = await scene.list();
	const { author, commit } = await scene.methods.commit({ threadId, seen, message: "m" });
	return { author, logged: git(scene.project, "log", "-1", "--format=%an <%ae> %cn <%ce>", commit).trim() };
}

function global(userHome: string, name: string): void {
	writeFileSync(join(userHome, ".gitconfig"), `[user]\n\tname = ${name}\n\temail = ${name.toLowerCase()}@example.org\n`);
}

function local(folder: string, name: string): void {
	git(folder, "config", "user.name", name);
	git(folder, "config", "user.email", `${name.toLowerCase()}@example.org`);
}

it("a commit is by the author of the repository's own configuration, which comes before the user's", async () => {
	const { author, logged } = await committed((project, userHome) => {
		global(userHome, "Everywhere");
		local(project, "Here");
	});
	expect(logged).toBe("Here <here@example.org> Here <here@example.org>");
	expect(author).toEqual({ name: "Here", email: "here@example.org", configured: true });
});

it("a commit is by the author of the user's configuration if the repository has none", async () => {
	const { author, logged } = await committed((_, userHome) => global(userHome, "Everywhere"));
	expect(logged).toBe("Everywhere <everywhere@example.org> Everywhere <everywhere@example.org>");
	expect(author?.configured).toBe(true);
});

it("a commit has the address that the repository sets, and the name that the user's configuration sets", async () => {
	const { logged } = await committed((project, userHome) => {
		global(userHome, "Ada");
		git(project, "config", "user.email", "work@example.org");
	});
	expect(logged).toBe("Ada <work@example.org> Ada <work@example.org>");
});

it("a commit is by XWorkmate, and says so, if git has no name and address, not by a name made up from the computer's", async () => {
	const { author, logged } = await committed((project) => git(project, "config", "user.name", "Nameless"));
	expect(logged).toBe("XWorkmate <xworkmate@localhost> XWorkmate <xworkmate@localhost>");
	expect(author).toEqual({ name: "XWorkmate", email: "xworkmate@localhost", configured: false });
});
