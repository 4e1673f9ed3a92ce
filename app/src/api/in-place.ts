/** What has the path of a delivered file. `above`: something that is not a folder has the place of one of its folders. */
export type InPlace = "folder" | "link" | "special" | "above";
