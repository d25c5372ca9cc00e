/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-result-store.h"

#include "dcn-error.h"
#include "dcn-origin.h"

#include "ns3/hash.h"
#include "ns3/log.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <sqlite3.h>
#include <unistd.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnResultStore");

namespace
{

constexpr int64_t APPLICATION = 0x64636e52; //!< "dcnR", SQLite's place for the kind of a file
constexpr int64_t FORMAT = 1;               //!< of the tables

/**
 * @param key of a row
 * @param value of the row
 * @return digest of both, as SQLite keeps integers
 */
int64_t
DigestRow(const std::string& key, const std::string& value)
{
    // ns-3's Hash64 shares one object and is not for threads
    return static_cast<int64_t>(Hasher().GetHash64(std::to_string(key.size()) + ' ' + key + value));
}

/**
 * @param path a file that is no database
 * @return its first characters, for a sentence; empty if it begins as a database does
 */
std::string
ReadBeginning(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string begin(40, '\0');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(file.gcount()));
    if (begin.compare(0, 15, "SQLite format 3") == 0)
    {
        return "";
    }
    begin = begin.substr(0, begin.find_first_of("\r\n"));
    for (char& c : begin)
    {
        c = c >= ' ' && c <= '~' ? c : '?';
    }
    return begin;
}

} // namespace

/// A database connection of one process, with sentences in place of error codes.
class DcnResultStore::Connection
{
  public:
    /// A prepared statement; a step fails with a DcnError.
    class Statement
    {
      public:
        /**
         * @param connection prepares it
         * @param sql its text
         * @param texts its parameters, from the first on: bytes
         */
        Statement(Connection& connection,
                  const char* sql,
                  std::initializer_list<const std::string*> texts = {})
            : m_connection(connection)
        {
            connection.Check(
                sqlite3_prepare_v2(connection.m_database, sql, -1, &m_statement, nullptr));
            Bind(texts);
        }

        ~Statement()
        {
            sqlite3_finalize(m_statement);
        }

        Statement(const Statement&) = delete;
        Statement& operator=(const Statement&) = delete;

        /** @param texts of the next steps, see the constructor; they must live until the last */
        void Bind(std::initializer_list<const std::string*> texts)
        {
            sqlite3_reset(m_statement); // a failure of the last step was reported there
            int place = 0;
            for (const std::string* text : texts)
            {
                // null would be no bytes but no value
                m_connection.Check(sqlite3_bind_blob64(m_statement,
                                                       ++place,
                                                       text->empty() ? "" : text->data(),
                                                       text->size(),
                                                       SQLITE_STATIC));
            }
        }

        /**
         * @param place of a parameter, from 1
         * @param number its value
         */
        void Bind(int place, int64_t number)
        {
            m_connection.Check(sqlite3_bind_int64(m_statement, place, number));
        }

        /** @return true if there is a row (one more). */
        bool Step()
        {
            const int status = sqlite3_step(m_statement);
            if (status != SQLITE_ROW && status != SQLITE_DONE)
            {
                m_connection.Check(status);
            }
            return status == SQLITE_ROW;
        }

        /**
         * @param column of the row, from 0
         * @return its bytes
         */
        std::string GetBytes(int column)
        {
            const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
            const auto n = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
            return bytes ? std::string(bytes, n) : std::string();
        }

        /**
         * @param column of the row, from 0
         * @return its number
         */
        int64_t GetNumber(int column)
        {
            return sqlite3_column_int64(m_statement, column);
        }

      private:
        Connection& m_connection;           //!< see the constructor
        sqlite3_stmt* m_statement{nullptr}; //!< SQLite's
    };

    /**
     * A transaction that is rolled back unless it was committed.
     */
    class Transaction
    {
      public:
        /** @param connection begins it; waits for other processes that write. */
        explicit Transaction(Connection& connection)
            : m_connection(connection)
        {
            connection.Execute("BEGIN IMMEDIATE");
        }

        ~Transaction()
        {
            if (!m_isDone)
            {
                sqlite3_exec(m_connection.m_database, "ROLLBACK", nullptr, nullptr, nullptr);
            }
        }

        Transaction(const Transaction&) = delete;
        Transaction& operator=(const Transaction&) = delete;

        /** Ends it: what it wrote is in the file. */
        void Commit()
        {
            m_connection.Execute("COMMIT");
            m_isDone = true;
        }

      private:
        Connection& m_connection; //!< see the constructor
        bool m_isDone{false};     //!< committed
    };

    /** @param path the file */
    explicit Connection(const std::string& path)
        : m_path(path),
          m_process(getpid())
    {
        // a file that may not be written is opened for reading
        const int status =
            sqlite3_open_v2(path.c_str(),
                            &m_database,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX,
                            nullptr);
        try
        {
            Check(status);
            sqlite3_extended_result_codes(m_database, 1);
            Check(sqlite3_busy_timeout(m_database, 1000 * BUSY_SECONDS));
        }
        catch (...)
        {
            sqlite3_close_v2(m_database);
            throw;
        }
    }

    ~Connection()
    {
        // a forked process must not close the connection of its parent
        if (m_process == getpid())
        {
            sqlite3_close_v2(m_database);
        }
    }

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /** @return true if this process opened it. */
    bool IsMine() const
    {
        return m_process == getpid();
    }

    /** @param sql text without results */
    void Execute(const char* sql)
    {
        Check(sqlite3_exec(m_database, sql, nullptr, nullptr, nullptr));
    }

    /**
     * @param sql text with one number as its result
     * @return the number
     */
    int64_t GetNumber(const char* sql)
    {
        Statement statement(*this, sql);
        return statement.Step() ? statement.GetNumber(0) : 0;
    }

    /** @return number of rows that the latest insertion added. */
    uint64_t GetNAdded() const
    {
        return static_cast<uint64_t>(sqlite3_changes(m_database));
    }

    /**
     * @brief Throw a sentence for a status that is not success.
     * @param status of SQLite
     */
    void Check(int status) const
    {
        switch (status & 0xff) // the low byte tells the kind of error
        {
        case SQLITE_OK:
        case SQLITE_ROW:
        case SQLITE_DONE:
            return;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            FailDamaged();
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            DcnFail(m_path,
                    ": other processes have written to this store for more than ",
                    BUSY_SECONDS,
                    " s; wait for them or name another file");
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
            DcnFail(m_path, ": the result store cannot be opened; are there file and folder?");
        case SQLITE_READONLY:
            DcnFail(m_path, ": the result store cannot be written: it is read-only");
        default:
            DcnFail(m_path,
                    ": the result store cannot be read or written: ",
                    m_database ? sqlite3_errmsg(m_database) : sqlite3_errstr(status));
        }
    }

    /** Throws the sentence about a damaged file, or about one that is no database. */
    [[noreturn]] void FailDamaged() const
    {
        const std::string begin = ReadBeginning(m_path);
        if (!begin.empty())
        {
            DcnFail(m_path,
                    ": this is no result store of this version (it begins with \"",
                    begin,
                    "\"); remove the file or name another one");
        }
        DcnFail(m_path, ": the result store is damaged; remove the file or name another one");
    }

    std::mutex mutex; //!< of transactions: threads share the connection

  private:
    std::string m_path;           //!< see the constructor
    sqlite3* m_database{nullptr}; //!< SQLite's connection
    pid_t m_process;              //!< that opened it
};

DcnResultStore::DcnResultStore(const std::string& path, const Experiment& experiment)
    : m_path(path)
{
    NS_LOG_FUNCTION(this << path);
    Prepare(experiment);
    NS_LOG_INFO(path << " has " << GetN() << " results");
}

DcnResultStore::~DcnResultStore() = default;

DcnResultStore::Connection&
DcnResultStore::Get() const
{
    if (!m_connection || !m_connection->IsMine())
    {
        m_connection = std::make_unique<Connection>(m_path);
    }
    return *m_connection;
}

void
DcnResultStore::Prepare(const Experiment& experiment)
{
    Connection& connection = Get();
    if (connection.GetNumber("PRAGMA application_id") == 0 &&
        connection.GetNumber("SELECT count(*) FROM sqlite_master") == 0)
    {
        Connection::Transaction transaction(connection);
        // another process may have made the tables meanwhile
        if (connection.GetNumber("SELECT count(*) FROM sqlite_master") == 0)
        {
            connection.Execute(
                "CREATE TABLE experiment (key BLOB PRIMARY KEY, value BLOB NOT NULL);"
                "CREATE TABLE result (key BLOB PRIMARY KEY, value BLOB NOT NULL, "
                "digest INTEGER NOT NULL)");
            connection.Execute(("PRAGMA application_id = " + std::to_string(APPLICATION)).c_str());
            connection.Execute(("PRAGMA user_version = " + std::to_string(FORMAT)).c_str());
            for (const auto& [key, value] : experiment)
            {
                Connection::Statement(connection,
                                      "INSERT INTO experiment VALUES (?, ?)",
                                      {&key, &value})
                    .Step();
            }
        }
        transaction.Commit();
    }
    if (connection.GetNumber("PRAGMA application_id") != APPLICATION)
    {
        DcnFail(m_path,
                ": this database is no result store of dcn; remove the file or name another one");
    }
    const int64_t format = connection.GetNumber("PRAGMA user_version");
    if (format != FORMAT)
    {
        DcnFail(m_path,
                ": this result store has format ",
                format,
                ", but this version reads format ",
                FORMAT,
                "; remove the file or name another one");
    }
    Experiment found;
    Connection::Statement rows(connection, "SELECT key, value FROM experiment");
    while (rows.Step())
    {
        found[rows.GetBytes(0)] = rows.GetBytes(1);
    }
    Experiment all = found;
    all.insert(experiment.begin(), experiment.end());
    for (const auto& each : all)
    {
        auto get = [&each](const Experiment& pairs) {
            const auto at = pairs.find(each.first);
            return at == pairs.end() ? std::string("missing") : '"' + at->second + '"';
        };
        if (get(found) != get(experiment))
        {
            DcnFail(m_path,
                    ": the results are those of another experiment: ",
                    each.first,
                    " is ",
                    get(found),
                    " there and ",
                    get(experiment),
                    " here; remove the file or name another one");
        }
    }
}

std::string
DcnResultStore::DigestFiles(const std::vector<std::string>& paths)
{
    namespace fs = std::filesystem;
    std::set<fs::path> files;
    for (const fs::path path : paths)
    {
        if (fs::is_regular_file(path))
        {
            files.insert(path);
        }
        else if (fs::is_directory(path))
        {
            for (const auto& entry : fs::directory_iterator(path))
            {
                if (entry.is_regular_file())
                {
                    files.insert(entry.path());
                }
            }
        }
    }
    std::string bytes;
    for (const fs::path& file : files)
    {
        std::ifstream stream(file, std::ios::binary);
        bytes += file.filename().string() + '\n';
        bytes.append(std::istreambuf_iterator<char>(stream), {});
    }
    return files.empty() ? "" : DcnHashText(bytes);
}

const std::string&
DcnResultStore::GetPath() const
{
    return m_path;
}

uint64_t
DcnResultStore::GetN() const
{
    return static_cast<uint64_t>(Get().GetNumber("SELECT count(*) FROM result"));
}

bool
DcnResultStore::Has(const std::string& key) const
{
    return Connection::Statement(Get(), "SELECT 1 FROM result WHERE key = ?", {&key}).Step();
}

std::optional<std::string>
DcnResultStore::Find(const std::string& key) const
{
    Connection::Statement row(Get(), "SELECT value, digest FROM result WHERE key = ?", {&key});
    if (!row.Step())
    {
        return std::nullopt;
    }
    std::string value = row.GetBytes(0);
    if (DigestRow(key, value) != row.GetNumber(1))
    {
        Get().FailDamaged();
    }
    return value;
}

void
DcnResultStore::Visit(
    const std::string& prefix,
    const std::function<void(const std::string&, const std::string&)>& visit) const
{
    Connection::Statement row(Get(),
                              "SELECT key, value, digest FROM result WHERE key >= ? ORDER BY key",
                              {&prefix});
    while (row.Step())
    {
        const std::string key = row.GetBytes(0);
        if (key.compare(0, prefix.size(), prefix) != 0)
        {
            return; // keys with the prefix are neighbours
        }
        const std::string value = row.GetBytes(1);
        if (DigestRow(key, value) != row.GetNumber(2))
        {
            Get().FailDamaged();
        }
        visit(key, value);
    }
}

uint64_t
DcnResultStore::Add(const std::vector<Row>& rows)
{
    NS_LOG_FUNCTION(this << rows.size());
    Connection& connection = Get();
    const std::lock_guard<std::mutex> lock(connection.mutex);
    Connection::Transaction transaction(connection);
    Connection::Statement row(connection, "INSERT OR IGNORE INTO result VALUES (?, ?, ?)");
    uint64_t n = 0;
    for (const auto& [key, value] : rows)
    {
        row.Bind({&key, &value});
        row.Bind(3, DigestRow(key, value));
        row.Step();
        n += connection.GetNAdded();
    }
    transaction.Commit();
    NS_LOG_INFO(m_path << ": " << n << " results added, "
                       << rows.size() - static_cast<std::size_t>(n) << " were there");
    return n;
}

} // namespace ns3
