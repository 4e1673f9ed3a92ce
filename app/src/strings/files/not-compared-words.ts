/** What a list of changes leaves out. It stands beside each list, because an agent may have changed it all the same. */
export const notComparedWords = {
	ignored: "Files that git ignores are not compared.",
	repository: "Files that git ignores are not compared, and neither is what is in the git repository {paths}.",
	repositories: "Files that git ignores are not compared, and neither is what is in the git repositories {paths}.",
	more: " and {count} more",
} as const;
