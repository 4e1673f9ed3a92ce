import { runStoreContract } from "./contracts/run-store-contract.ts";
import { openSqliteUnderTest } from "./sqlite-store-under-test.ts";

runStoreContract("sqlite", openSqliteUnderTest);
