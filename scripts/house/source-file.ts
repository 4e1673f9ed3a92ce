import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One text file of the repository; `path` is relative to its root, with '/'. */
export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

// Folders of installed, built or cached files.
const skippedFolders = new Set(["node_modules", ".git", ".toolchain", ".cache"]);
const textFile = /\.(?:ts|tsx|mts|mjs|js|json|md|css|html|ya?ml|sh|sql|svg|txt)$|(?:^|\/)(?:run|LICENSE|\.gitignore|\.npmrc)$/;

/** Every text file below a folder, in a stable order. Reads the disk, so that it also works in a copy without git. */
export function repositoryFiles(root: string): SourceFile[] {
	return pathsBelow(root, "")
		.filter((path) => textFile.test(path))
		.sort()
		.flatMap((path) => {
			const text = textIfThere(join(root, path));
			return text === undefined ? [] : [{ path, text }];
		});
}

/** A bundler that runs at the same time writes its configuration beside the original for a moment. */
function textIfThere(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw error;
	}
}

/** The TypeScript files among them. */
export function typescriptFiles(files: readonly SourceFile[]): SourceFile[] {
	return files.filter(({ path }) => /\.tsx?$/.test(path));
}

function pathsBelow(root: string, folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true })
		.filter((entry) => !skippedFolders.has(entry.name))
		.flatMap((entry) => {
			const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
			return entry.isDirectory() ? pathsBelow(root, path) : entry.isFile() ? [path] : [];
		});
}
