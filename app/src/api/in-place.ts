/**
 * What is at a delivered file's path instead of the file. `above`: one of the path's folders has been replaced by something that is not a
 * folder.
 */
export type InPlace = "folder" | "link" | "special" | "above";
