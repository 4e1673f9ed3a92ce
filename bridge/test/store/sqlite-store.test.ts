import { storeContract } from "./contracts/store-contract.ts";
import { openSqliteUnderTest } from "./sqlite-store-under-test.ts";

storeContract("sqlite", openSqliteUnderTest);
