import type { FileFunctions } from "../api/methods.ts";
import type { AppHost } from "../doctor/app-host.ts";
import { readAllowedRoots } from "../settings/allowed-roots.ts";
import { readLiveSetting } from "../settings/live-setting.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";
import { FileChanges } from "./file-changes.ts";
import { folderFiles } from "./folder-files.ts";
import type { FolderWatches } from "./folder-watches.ts";
import { listFolders } from "./list-folders.ts";
import { openInEditor } from "./open-in-editor.ts";
import { safeSegments } from "./open-plain-file.ts";
import type { FilesOfThreads } from "./thread-files.ts";

export interface FileParts {
	readonly home: string;
	readonly repository: ThreadRepository;
	readonly host: AppHost;
	readonly files: FilesOfThreads;
	readonly watches: FolderWatches;
}

export function fileFunctions({ home, repository, host, files, watches }: FileParts): FileFunctions {
	const changes = new FileChanges();
	return {
		listFiles: async ({ threadId, since }) => changes.since(threadId, await files.list(threadId), since),
		watchFiles: async ({ threadId }) => ({ begun: await watches.follow(threadId) }),
		async openFolder({ threadId }) {
			repository.get(threadId);
			await host.openPath(ensureThreadFolder(home, threadId));
		},
		async openInEditor({ threadId, relativePath }) {
			repository.get(threadId);
			const command = await readLiveSetting(home, host.environment, "XWORKMATE_EDITOR");
			await openInEditor(command, threadFolder(home, threadId), safeSegments(relativePath));
		},
		openDataFolder: () => host.openPath(home),
		async mentionableFiles({ threadId, folder }) {
			const paths = threadId === undefined ? [] : files.places(threadId).paths;
			const inFolder = folder === undefined ? [] : await folderFiles(await readAllowedRoots(home, host.environment), folder);
			return [...new Set([...paths, ...inFolder])];
		},
		listFolders: async ({ path }) => listFolders(await readAllowedRoots(home, host.environment), path),
	};
}
