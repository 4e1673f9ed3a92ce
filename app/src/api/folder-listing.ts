export interface FolderListing {
	/** Absolute. */
	readonly path: string;
	/** Present if it belongs to a git repository inside the allowed roots, so that a run there can have a worktree. */
	readonly isInRepository?: true;
	/** Absent at an allowed root. */
	readonly parent?: string;
	/** Sorted names, without hidden folders. At most 1000. */
	readonly folders: readonly string[];
}
