/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_RUN_RECORD_H
#define DCN_RUN_RECORD_H

#include "dcn-estimator.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnFolderLock;
class DcnInterruptMessage;

/**
 * @ingroup dcn
 * @brief Keeps run.json beside the results of a program: how they were made, and how far the run
 * is.
 *
 * The file is written when the record is made and after every change. Its status is "running" until
 * Finish, then "complete"; "failed" if the record is destroyed before, as by a DcnError; and
 * "interrupted" after SIGINT or SIGTERM. A process that is killed leaves "running". Keys:
 * doc/schema.rst.
 *
 * At SIGINT and SIGTERM the process says which files hold results so far, and ends by the signal.
 * A record of several scenarios may have others in it, one at a time, each with its own folder. No
 * other process may have one in the folder.
 */
class DcnRunRecord
{
  public:
    /// What to say of a folder that another run has (DcnFolderLock).
    static constexpr const char* IN_USE =
        "another run writes into this folder: wait for its end, or choose another folder by --out";

    /**
     * @brief Begin a run: files of an earlier run in the folder are removed, and run.json is
     * written. Files that an earlier run wrote and this one does not own stay, and so do those of
     * FindParts; a line on them is printed, and run.json lists them.
     * @param folder of the results; made if it does not exist
     * @param command the command line (DcnDescribeCommand)
     * @param owned names of all files that the program may write into the folder
     * @throws DcnError if a file cannot be removed or written, or another run has the folder
     */
    DcnRunRecord(const std::string& folder,
                 const std::string& command,
                 const std::vector<std::string>& owned);
    /** Signals have their former effect again; a run without Finish has failed. */
    ~DcnRunRecord();
    DcnRunRecord(const DcnRunRecord&) = delete;
    DcnRunRecord& operator=(const DcnRunRecord&) = delete;

    /**
     * @brief Record the scenario.
     * @param recipe its recipe (DcnScenarioRecipe::ToFullText)
     * @param seed its seed
     */
    void SetScenario(const std::string& recipe, uint64_t seed);

    /**
     * @brief Record what was read without effect.
     * @param lines as the program prints them: "ignored: ..." for words and options without effect,
     * "note: ..." for words of two meanings
     */
    void SetIgnored(const std::vector<std::string>& lines);

    /**
     * @brief Record a list of sentences.
     * @param key of run.json, such as assumptions; none if there are no lines
     * @param lines the list
     */
    void SetLines(const std::string& key, const std::vector<std::string>& lines);

    /**
     * @brief Record a digest of all that the results depend on, for IsComplete.
     * @param digest any text
     */
    void SetDigest(const std::string& digest);

    /**
     * @param folder of an earlier run
     * @param digest of the results that are asked for
     * @return whether the folder has them: run.json is complete and has this digest
     */
    static bool IsComplete(const std::string& folder, const std::string& digest);

    /**
     * @brief Record one of several scenarios, whose own record is in its folder.
     * @param folder its folder within that of this record
     * @param keys what tells it from the others, as in "cc=hpcc,seed=2"
     * @param status complete, kept (complete by an earlier run), or why it failed
     */
    void AddScenario(const std::string& folder, const std::string& keys, const std::string& status);

    /**
     * @brief Record what was forecast before the methods run.
     * @param json a JSON value (DcnForecast::MakeJson)
     */
    void SetForecast(const std::string& json);

    /**
     * @brief Record an answer: cost, completion, provenance, events.
     * @param estimate the answer
     */
    void Add(const DcnEstimate& estimate);

    /**
     * @brief Record a method without an answer.
     * @param method its name
     * @param reason a sentence
     */
    void LeaveOut(const std::string& method, const std::string& reason);

    /**
     * @brief Record a file that has been written.
     * @param name in the folder
     */
    void AddFile(const std::string& name);

    /** @return the files recorded, joined by ", ", with the folder. */
    std::string GetFiles() const;

    /** @brief Record that the run is complete. */
    void Finish();

    /**
     * @brief Find half-written files of DcnFileWriter (NAME.part-PROCESS) that a run left which was
     * killed; a line on them is printed. Only who holds the folder's lock may ask.
     * @param folder of the results
     * @return their names, in alphabetical order
     */
    static std::vector<std::string> FindParts(const std::string& folder);

    /**
     * @return attributes whose defaults were changed, as in "ns3::DcnNetworkConfig::DctcpG=0.9",
     * and ns3's RngRun and RngSeed if they are not 1; in alphabetical order. Command lines
     * (--ns3::TYPE::ATTRIBUTE), programs and NS_ATTRIBUTE_DEFAULT change them
     */
    static std::vector<std::string> ListAttributes();

    /**
     * @return 16 hexadecimal digits: hash of the program and of the modules that it has loaded,
     * which changes whenever an edit was compiled
     */
    static std::string GetCodeDigest();

  private:
    /**
     * @param status of the run
     * @return the text of run.json
     */
    std::string MakeText(const std::string& status) const;

    /// @return files of earlier runs, by run.json, that are in the folder and are not owned
    std::vector<std::string> FindEarlier(const std::vector<std::string>& owned) const;

    /// Writes run.json.
    void Write(const std::string& status);

    std::string m_folder;                                    //!< of the results
    std::unique_ptr<DcnFolderLock> m_lock;                   //!< on the folder
    int m_process;                                           //!< that made the record
    bool m_isFinished{false};                                //!< see Finish
    std::vector<std::pair<std::string, std::string>> m_head; //!< key and JSON value
    std::vector<std::string> m_ignored;                      //!< see SetIgnored
    std::vector<std::string> m_answers;                      //!< JSON objects
    std::vector<std::string> m_scenarios;                    //!< JSON objects
    std::vector<std::string> m_files;                        //!< names
    std::vector<std::pair<std::string, std::string>> m_lists; //!< of SetLines: key and JSON
    std::vector<std::string> m_earlier;                       //!< names, of earlier runs
    std::vector<std::string> m_leftOut;                      //!< JSON objects
    std::unique_ptr<DcnInterruptMessage> m_interrupt;        //!< printed at a signal
};

} // namespace ns3

#endif /* DCN_RUN_RECORD_H */
